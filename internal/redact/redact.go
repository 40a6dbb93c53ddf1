// Package redact blanks secrets out of texts that came from elsewhere. Servers and proxies quote
// the address or the headers of a request, so a secret is also found where it is percent-encoded
// (once or twice), in HTML, in a JSON string, in hexadecimal digits and in base64. Encodings within
// one another are not undone: the edges that know what they quote redact it there.
package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
)

// Mark stands where a secret was.
const Mark = "REDACTED"

// minSecret is the length in bytes from which a secret is looked for in texts. No credential of
// Google's is shorter, and blanking out a placeholder such as "key" would tear words apart.
const minSecret = 6

// Text returns the text with [Mark] in place of each of the secrets, in every spelling that the
// package knows. A secret shorter than six bytes is ignored.
func Text(text string, secrets ...string) string {
	var out strings.Builder
	at := 0
	for _, span := range Find(text, secrets...) {
		out.WriteString(text[at:span.Start] + Mark)
		at = span.End
	}
	return out.String() + text[at:]
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Find returns where a text has one of the secrets, in the order of the text. Parts that overlap,
// for example of a secret within another secret, are one.
func Find(text string, secrets ...string) []Span {
	var found []Span
	folded := lower(text)
	for _, secret := range secrets {
		if len(secret) < minSecret {
			continue
		}
		for _, spelling := range spellings(secret) {
			found = append(found, find(folded, lower(spelling))...)
		}
	}
	slices.SortFunc(found, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
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

// spellings returns how a secret is written in texts; upper and lower case make no difference.
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

func find(text, secret string) (spans []Span) {
	for at := 0; ; {
		next := strings.Index(text[at:], secret)
		if next < 0 {
			return spans
		}
		spans = append(spans, Span{at + next, at + next + len(secret)})
		at += next + len(secret)
	}
}

// lower makes the letters of ASCII small. Unlike strings.ToLower it keeps offsets.
func lower(text string) string {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + ('a' - 'A')
		}
	}
	return string(out)
}
