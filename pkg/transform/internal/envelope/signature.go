package envelope

import (
	"encoding/base64"
	"strings"
)

// These are the encodings of a signature.
const (
	standardForm = 's'
	textForm     = 'x'
)

// appendSignature appends the encoding of a signature, its encoded length, and the encoded
// signature.
func appendSignature(dst []byte, signature string) []byte {
	if !isStandardBase64(signature) {
		dst = append(dst, textForm)
		dst = appendLength(dst, base64.RawURLEncoding.EncodedLen(len(signature)))
		return base64.RawURLEncoding.AppendEncode(dst, []byte(signature))
	}
	data := strings.TrimRight(signature, "=")
	dst = append(dst, standardForm)
	dst = appendLength(dst, len(data))
	for i := range len(data) {
		dst = append(dst, urlSafe(data[i]))
	}
	return dst
}

// cutSignature splits a signature from the start of a text.
func cutSignature(text string) (signature, rest string, ok bool) {
	form := text[0]
	data, rest, ok := cutData(text[1:])
	if !ok {
		return "", "", false
	}
	switch form {
	case standardForm:
		signature, ok = fromURLSafe(data)
	case textForm:
		signature, ok = fromBase64URL(data)
		ok = ok && !isStandardBase64(signature)
	default:
		ok = false
	}
	return signature, rest, ok
}

// isStandardBase64 reports whether a text is padded base64 in the standard alphabet. Unused bits of
// its last character may have any value, because they are restored too.
func isStandardBase64(text string) bool {
	if len(text)%4 != 0 {
		return false
	}
	data := strings.TrimRight(text, "=")
	if len(text)-len(data) > 2 {
		return false
	}
	for i := range len(data) {
		if c := data[i]; !isAlphanumeric(c) && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// urlSafe returns the token alphabet's character for a character of standard base64.
func urlSafe(c byte) byte {
	switch c {
	case '+':
		return '-'
	case '/':
		return '_'
	}
	return c
}

// fromURLSafe is the inverse of [urlSafe] for a whole text. It restores the padding.
func fromURLSafe(data string) (string, bool) {
	if len(data)%4 == 1 {
		return "", false
	}
	padding := (4 - len(data)%4) % 4
	var text strings.Builder
	text.Grow(len(data) + padding)
	for i := range len(data) {
		switch c := data[i]; {
		case c == '-':
			text.WriteByte('+')
		case c == '_':
			text.WriteByte('/')
		case isAlphanumeric(c):
			text.WriteByte(c)
		default:
			return "", false
		}
	}
	text.WriteString("=="[:padding])
	return text.String(), true
}
