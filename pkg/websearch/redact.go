package websearch

import (
	"net/url"
	"strings"
)

// redacted stands where a credential was.
const redacted = "REDACTED"

// minSecret is the length in bytes from which a credential is looked for in texts. No credential of
// Google's is shorter, and blanking out a placeholder such as "key" would tear words apart.
const minSecret = 6

// redact blanks the credentials out of a text that came from elsewhere, in every spelling that servers and
// proxies give them.
func (c Credentials) redact(text string) string {
	forms := append(secretForms(reveal(c.apiKey)), secretForms(reveal(c.engineID))...)
	spans := findForms(text, forms)
	var out strings.Builder
	at := 0
	for i := 0; i < len(spans); {
		start, end := spans[i].start, spans[i].end
		for ; i < len(spans) && spans[i].start < end; i++ { // one credential may be a part of the other
			end = max(end, spans[i].end)
		}
		out.WriteString(text[at:start] + redacted)
		at = end
	}
	return out.String() + text[at:]
}

// redactError blanks the credentials out of the message, before it is cut to its longest length: a part
// of a credential would not be found.
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
