// Package redact replaces secrets in texts from other programs. Servers and proxies quote the
// address or the headers of a request. So it also finds a secret that is percent-encoded (once or
// twice), or written in HTML, in a JSON string, in hexadecimal digits or in base64. It does not
// find a secret in nested encodings. Code that knows what it quotes must redact such a secret
// itself.
package redact

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
)

// Mark replaces a secret.
const Mark = "REDACTED"

// minSecret is the minimum length of a secret in bytes. No Google credential is shorter. Replacing
// a placeholder such as "key" would destroy ordinary words.
const minSecret = 6

// Text replaces each secret in the text by [Mark], in every spelling that the package knows. It
// ignores secrets shorter than six bytes.
func Text(text string, secrets ...string) string { return NewFinder(secrets...).Text(text) }

// Finder looks for the same secrets in many texts. It knows their spellings, which takes longer to
// make than to look for in a short text. It never changes, and nil finds nothing.
type Finder struct{ scan scanner }

// NewFinder returns a finder of secrets. It ignores secrets shorter than six bytes.
func NewFinder(secrets ...string) *Finder {
	var all []string
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			all = append(all, spellings(secret)...)
		}
	}
	return &Finder{newScanner(all)}
}

// Text replaces each secret in the text by [Mark], like the function Text.
func (f *Finder) Text(text string) string {
	spans := f.Find(text)
	if len(spans) == 0 {
		return text
	}
	var out strings.Builder
	at := 0
	for _, span := range spans {
		out.WriteString(text[at:span.Start] + Mark)
		at = span.End
	}
	return out.String() + text[at:]
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Find returns the locations of the secrets in a text, in order. It joins overlapping locations,
// for example of a secret within another secret.
func Find(text string, secrets ...string) []Span { return NewFinder(secrets...).Find(text) }

// Find returns the locations of the secrets in a text, like the function Find.
func (f *Finder) Find(text string) []Span {
	if f == nil {
		return nil
	}
	var spans []Span
	for found := range f.scan.all(text) { // sorted by their start
		if last := len(spans) - 1; last >= 0 && found.Start < spans[last].End {
			spans[last].End = max(spans[last].End, found.End)
		} else {
			spans = append(spans, found)
		}
	}
	return spans
}

// spellings returns all spellings of a secret. Their comparison ignores letter case.
func spellings(secret string) []string {
	query, quoted := url.QueryEscape(secret), inJSON.Replace(secret)
	out := []string{
		secret, strings.ReplaceAll(secret, " ", "+"), query, url.PathEscape(secret),
		url.QueryEscape(query),
		inHTML.Replace(secret), quoted, strings.ReplaceAll(quoted, "/", `\/`),
		strings.ReplaceAll(secret, "/", `\/`),
	}
	digits := hex.EncodeToString([]byte(secret))
	percents := ""
	for i := 0; i < len(digits); i += 2 {
		percents += "%" + digits[i:i+2]
	}
	out = append(out, digits, percents)
	for before := range 3 {
		out = append(out, inBase64(secret, before)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	inHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'",
		"&#39;")
	inJSON = strings.NewReplacer("&", `\u0026`, "<", `\u003c`, ">", `\u003e`, `"`, `\"`, `\`, `\\`)
)

// inBase64 returns the base64 of a secret within a longer text, such as "user:secret". before is
// the number of bytes before the secret, modulo 3. The result has only characters without bits of
// the text around the secret.
func inBase64(secret string, before int) []string {
	padded := strings.Repeat("\x00", before) + secret
	first, end := (8*before+5)/6, 8*len(padded)/6
	standard := base64.RawStdEncoding.EncodeToString([]byte(padded))
	urlSafe := base64.RawURLEncoding.EncodeToString([]byte(padded))
	if before == 0 { // also the whole of it, with its last bits
		return []string{standard, urlSafe, standard[:end], urlSafe[:end]}
	}
	return []string{standard[first:end], urlSafe[first:end]}
}
