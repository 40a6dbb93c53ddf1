// Package redact blanks secrets out of texts that came from elsewhere. Servers and proxies quote the address or the
// headers of a request in any encoding, so a secret is looked for in percent-encoding, HTML, the escapes of JSON,
// hexadecimal digits and base64, and behind up to four of these on one another.
package redact

import "strings"

// Mark stands where a secret was.
const Mark = "REDACTED"

// minSecret is the length in bytes from which a secret is looked for in texts. No credential of Google's is shorter,
// and blanking out a placeholder such as "key" would tear words apart.
const minSecret = 6

// Text returns the text with [Mark] in place of each of the secrets, in every spelling. One that is shorter than six
// bytes is not looked for.
func Text(text string, secrets ...string) string {
	var out strings.Builder
	at := 0
	for _, span := range Find(text, secrets...) {
		out.WriteString(text[at:span.Start] + Mark)
		at = span.End
	}
	return out.String() + text[at:]
}

// Find returns where a text has one of the secrets, in the order in which they stand there. Parts that overlap, as
// those of a secret within another, are one.
func Find(text string, secrets ...string) []Span {
	var forms []secretForm
	for _, secret := range secrets {
		forms = append(forms, secretForms(secret)...)
	}
	found := findForms(text, forms)
	var spans []Span
	for i := 0; i < len(found); {
		whole := found[i]
		for ; i < len(found) && found[i].Start < whole.End; i++ {
			whole.End = max(whole.End, found[i].End)
		}
		spans = append(spans, whole)
	}
	return spans
}
