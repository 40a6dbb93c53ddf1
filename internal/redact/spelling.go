package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
)

// secretForm is a form of a secret to look for in a text in which characters may be spelled otherwise.
type secretForm struct {
	text     string
	fold     bool // upper and lower case are the same
	ofBase64 bool
}

// secretForms returns the forms of a secret, none for one that is too short to be looked for.
func secretForms(secret string) []secretForm {
	if len(secret) < minSecret {
		return nil
	}
	var forms []secretForm
	plain := []string{secret, strings.ReplaceAll(secret, " ", "+"), (&spelledText{text: secret}).decode().text}
	for _, encoded := range encodings(secret) {
		plain = append(plain, hex.EncodeToString([]byte(encoded)))
		for shift := range 3 {
			forms = append(forms, base64Forms(encoded, shift)...)
		}
	}
	for _, text := range plain {
		forms = append(forms, secretForm{text: lower(text), fold: true})
	}
	return forms
}

// encodings returns the forms of a secret that stand in the base64 or in the hexadecimal digits of a longer text, such
// as that of an address. Most secrets look the same there.
func encodings(secret string) []string {
	query := url.QueryEscape(secret)
	out := []string{
		secret, query, withSmallEscapes(query), strings.ReplaceAll(query, "+", "%20"), url.PathEscape(secret),
		asHTML.Replace(secret), strings.ReplaceAll(secret, "/", `\/`), base64.StdEncoding.EncodeToString([]byte(secret)),
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var asHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// withSmallEscapes writes the digits of percent-encoding in small letters.
func withSmallEscapes(query string) string {
	out := []byte(query)
	for i, c := range out {
		if c == '%' {
			copy(out[i+1:i+3], lower(query[i+1:i+3]))
		}
	}
	return string(out)
}

// base64Forms returns what a secret becomes in the base64 of a longer text, when as many bytes stand
// before it as shift says, modulo 3: the characters that hold no bits of what stands beside it.
func base64Forms(secret string, shift int) []secretForm {
	padded := strings.Repeat("\x00", shift) + secret
	first, end := (8*shift+5)/6, 8*len(padded)/6
	standard := base64.RawStdEncoding.EncodeToString([]byte(padded))[first:end]
	urlSafe := base64.RawURLEncoding.EncodeToString([]byte(padded))[first:end]
	return []secretForm{{text: standard, ofBase64: true}, {text: urlSafe, ofBase64: true}}
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// findForms returns where a text has one of the forms, in the order of their starts: as they are, or behind
// one or more of percent-encoding, HTML and the escapes of JSON.
func findForms(text string, forms []secretForm) []Span {
	if len(forms) == 0 {
		return nil
	}
	const layers = 5 // of different encodings; the same one any number of times counts as one
	var spans []Span
	spelled := &spelledText{text: text, folded: lower(text)}
	for range layers {
		for _, form := range forms {
			spans = append(spans, spelled.find(form)...)
		}
		next := spelled.decode()
		if next.text == spelled.text {
			break
		}
		spelled = next
	}
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return spans
}

// spelledText is a text from which encodings were taken off.
type spelledText struct {
	text    string
	folded  string // text in small letters
	origins []int  // of each byte, where its spelling begins in the text that came; nil: at the same offset
}

// origin returns where the spelling of a byte begins in the text that came.
func (s *spelledText) origin(at int) int {
	if s.origins == nil {
		return at
	}
	return s.origins[at]
}

// find returns where a form stands, as parts of the text that came.
func (s *spelledText) find(form secretForm) []Span {
	text := s.text
	if form.fold {
		text = s.folded
	}
	var spans []Span
	for at := 0; ; {
		next := strings.Index(text[at:], form.text)
		if next < 0 {
			return spans
		}
		start, end := at+next, at+next+len(form.text)
		at = start + 1
		if form.ofBase64 {
			start, end = withBase64Beside(text, start, end)
		}
		spans = append(spans, Span{s.origin(start), s.origin(end)})
	}
}

// withBase64Beside returns the part of a text with the characters beside it that hold bits of it too.
func withBase64Beside(text string, start, end int) (int, int) {
	if start > 0 && isBase64(text[start-1]) {
		start--
	}
	if end < len(text) && isBase64(text[end]) {
		end++
	}
	return start, end
}

func isBase64(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

// decode takes one encoding off, and the ends of lines, which stand within base64.
func (s *spelledText) decode() *spelledText {
	if !strings.ContainsAny(s.text, "%&\\\r\n") {
		return s
	}
	var text strings.Builder
	origins := make([]int, 0, len(s.text)+1)
	add := func(part string, at, step int) {
		for i := range len(part) {
			origins = append(origins, s.origin(at+i*step))
		}
		text.WriteString(part)
	}
	at := 0
	for next := 0; next < len(s.text); {
		character, length := spelled(s.text[next:])
		if length == 0 {
			next += max(1, backslashes(s.text[next:])) // a long run of them is passed over at once
			continue
		}
		add(s.text[at:next], at, 1)
		add(character, next, 0)
		next += length
		at = next
	}
	add(s.text[at:], at, 1)
	origins = append(origins, s.origin(len(s.text)))
	return &spelledText{text: text.String(), folded: lower(text.String()), origins: origins}
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
