package websearch

import (
	"net/url"
	"slices"
	"strings"
)

// redacted stands where a credential was.
const redacted = "REDACTED"

// minSecret is the length in bytes from which a credential is looked for in texts. No credential of
// Google's is shorter, and blanking out a placeholder such as "key" would tear words apart.
const minSecret = 6

// redact blanks the credentials out of a text that came from elsewhere, plain or percent-encoded.
func (c Credentials) redact(text string) string {
	var forms []string
	for _, secret := range []string{reveal(c.apiKey), reveal(c.engineID)} {
		if len(secret) >= minSecret {
			forms = append(forms, secret, percentEncode(secret), url.QueryEscape(secret))
		}
	}
	// The longest first, in case one credential is a part of the other.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, redacted)
	}
	return strings.NewReplacer(pairs...).Replace(text)
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
