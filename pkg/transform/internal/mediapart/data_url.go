package mediapart

import (
	"cmp"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/pkg/wiretype"
)

// inline is the content of a data URL.
type inline struct {
	mimeType string
	data     string // base64; clean data, which may be megabytes, are not copied
	ok       bool   // It was a data URL.
}

const dataScheme = "data:"

var (
	errNoComma     = errors.New("there is no comma before its data")
	errNotEscaped  = errors.New("an escape in its data is invalid")
	errManySchemes = errors.New("it has too many prefixes")
)

// parseInline parses a data URL. Clients write many that no standard allows: in capital letters,
// with white space, with a double prefix, without the word base64, or base64 without any prefix.
// Base64 in the URL alphabet stays unchanged, because Gemini accepts both alphabets.
func parseInline(u wiretype.MediaURL) (inline, error) {
	if mimeType, data, ok := u.Inline(); ok && !hasFoldedPrefix(mimeType, dataScheme) {
		return unwrap(inline{mimeType: mimeType, data: data, ok: true}, 1)
	}
	return parseDataURL(u.String(), 1)
}

// mostPrefixes limits how often a prefix may be repeated.
const mostPrefixes = 4

// parseDataURL reads a data URL in any form. It returns an error if the text is not a data URL.
func parseDataURL(text string, prefixes int) (inline, error) {
	text = strings.TrimSpace(text)
	if !hasFoldedPrefix(text, dataScheme) {
		return bareBase64(text), nil
	}
	if prefixes > mostPrefixes {
		return inline{}, errManySchemes
	}
	rest := strings.TrimSpace(text[len(dataScheme):])
	if hasFoldedPrefix(rest, dataScheme) {
		return parseDataURL(rest, prefixes+1)
	}
	header, data, ok := strings.Cut(rest, ",")
	if !ok {
		return inline{}, errNoComma
	}
	mimeType, marked := cutMark(header)
	in := inline{mimeType: mimeType, data: data, ok: true}
	if marked || isUnmarkedBase64(in) {
		return unwrap(in, prefixes)
	}
	raw, err := url.PathUnescape(data)
	if err != nil {
		return inline{}, errNotEscaped
	}
	in.data = base64.StdEncoding.EncodeToString([]byte(raw))
	return in, nil
}

// unwrap cleans the base64 of a data URL. It unwraps a data URL that is used in place of the
// base64.
func unwrap(in inline, prefixes int) (inline, error) {
	if hasFoldedPrefix(strings.TrimSpace(in.data[:min(len(in.data), 64)]), dataScheme) {
		inner, err := parseDataURL(in.data, prefixes+1)
		inner.mimeType = cmp.Or(inner.mimeType, in.mimeType)
		return inner, err
	}
	in.data = cleanBase64(in.data)
	return in, nil
}

// cutMark removes the base64 mark from the type.
func cutMark(header string) (mimeType string, marked bool) {
	kept := header[:0]
	for field := range strings.SplitSeq(header, ";") {
		field = strings.TrimSpace(field)
		switch {
		case strings.EqualFold(field, "base64"):
			marked = true
		case kept == "":
			kept = field
		default:
			kept += ";" + field
		}
	}
	return kept, marked
}

// isUnmarkedBase64 reports whether data without the word base64 is base64 anyway: media that do not
// start like a text.
func isUnmarkedBase64(in inline) bool {
	return !hasFoldedPrefix(in.mimeType, "text/") && sniff(cleanBase64(in.data)) != ""
}

// bareBase64 reads base64 without a prefix, if its first bytes identify media.
func bareBase64(text string) inline {
	if strings.Contains(text[:min(len(text), 16)], ":") {
		return inline{}
	}
	data := cleanBase64(text)
	if sniff(data) == "" {
		return inline{}
	}
	return inline{data: data, ok: true}
}

// Bare returns the URL of a member that should hold data and not an address. A text without a
// scheme is read as base64.
func Bare(text string) wiretype.MediaURL {
	if text == "" {
		return wiretype.MediaURL{}
	}
	if u := wiretype.ParseMediaURL(text); IsInline(u) ||
		strings.Contains(text[:min(len(text), 64)], ":") {
		return u
	}
	return wiretype.InlineMedia("", text)
}

// cleanBase64 removes white space and escapes. It does not copy clean data, which is the usual
// case.
func cleanBase64(data string) string {
	if strings.IndexByte(data, '%') >= 0 {
		if unescaped, err := url.PathUnescape(data); err == nil {
			data = unescaped
		}
	}
	if !hasSpace(data) {
		return data
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(base64Spaces, r) {
			return -1
		}
		return r
	}, data)
}

const base64Spaces = " \n\r\t"

// looksLikeBase64 reports whether data starts and ends like base64 of either alphabet. Media are
// large, and the usual faults, such as another header or an ellipsis, are at the start or the end.
func looksLikeBase64(data string) bool {
	const looked = 32
	isOther := func(r rune) bool {
		isLetter := 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
		return !isLetter && (r < '0' || r > '9') && !strings.ContainsRune("+/-_=", r)
	}
	return !strings.ContainsFunc(data[:min(len(data), looked)], isOther) &&
		!strings.ContainsFunc(data[max(len(data)-looked, 0):], isOther)
}

// hasSpace searches one character at a time, which is several times faster than a search for all.
func hasSpace(data string) bool {
	for i := range len(base64Spaces) {
		if strings.IndexByte(data, base64Spaces[i]) >= 0 {
			return true
		}
	}
	return false
}

func hasFoldedPrefix(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
