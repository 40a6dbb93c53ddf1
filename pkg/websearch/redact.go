package websearch

import (
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// redact removes the credentials from a text of a server, in every spelling that servers and
// proxies use.
func (c Credentials) redact(text string) string {
	return redact.Text(text, reveal(c.apiKey), reveal(c.engineID))
}

// redactError removes the credentials from the message before it is shortened, because a part of a
// credential would not be found.
func (c Credentials) redactError(e *Error) *Error {
	e.Message = shorten(c.redact(e.Message))
	return e
}

func (c Credentials) redactResults(results []Result) []Result {
	for i, result := range results {
		results[i] = Result{
			Title:   c.redact(result.Title),
			URL:     c.redact(result.URL),
			Snippet: c.redact(result.Snippet),
		}
	}
	return results
}

// percentEncode encodes all but letters, digits and "-._~"; a space is %20.
func percentEncode(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}
