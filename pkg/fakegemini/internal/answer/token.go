package answer

import (
	"unicode"
	"unicode/utf8"
)

// maxToken is the maximum length of a token in bytes.
const maxToken = 8

// tokens splits a text into tokens: words with the space before them, in pieces if they are long,
// and any other character. Joined they are the text.
func tokens(text string) []string {
	var out []string
	for len(text) > 0 {
		n := tokenLength(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// countTokens returns the number of tokens of a text.
func countTokens(text string) int {
	count := 0
	for len(text) > 0 {
		text = text[tokenLength(text):]
		count++
	}
	return count
}

// tokenLength returns the length of the first token of a text that is not empty.
func tokenLength(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	n := size
	if first == ' ' {
		second, secondSize := utf8.DecodeRuneInString(text[n:])
		if !isWordRune(second) {
			return n
		}
		n += secondSize
	} else if !isWordRune(first) {
		return n
	}
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !isWordRune(r) || n+size > maxToken {
			break
		}
		n += size
	}
	return n
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
