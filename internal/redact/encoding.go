package redact

import (
	"strconv"
	"strings"
)

// A character may be spelled by percent-encoding, HTML or an escape of JSON or Go. An encoding that was applied to
// itself, as in %252541, is one spelling. They are read by hand: packages regexp and html would add half a megabyte to
// every program that calls Gemini.

// spelled returns the character that a text spells at its beginning, and how many bytes the spelling has; 0 for none.
func spelled(text string) (character string, length int) {
	switch text[0] {
	case '%':
		return percentEncoded(text)
	case '&':
		return htmlEntity(text)
	case '\\':
		return escaped(text)
	default:
		return "", 0
	}
}

// percentEncoded reads "%41" or "%252541".
func percentEncoded(text string) (string, int) {
	at := 1
	for strings.HasPrefix(text[at:], "25") && hexDigits(text[at+2:], 2) == 2 {
		at += 2
	}
	if hexDigits(text[at:], 2) < 2 {
		return "", 0
	}
	return string([]byte{byte(codeOf(text[at:at+2], 16))}), at + 2
}

// htmlEntity reads "&amp;", "&#65;", "&#x41;", also behind any number of "amp;".
func htmlEntity(text string) (string, int) {
	at := 1
	for strings.HasPrefix(text[at:], "amp;") {
		at += len("amp;")
	}
	if character, length := entity(text[at:]); length > 0 {
		return character, at + length
	}
	if at > 1 {
		return "&", at
	}
	return "", 0
}

// entity reads what stands behind the ampersand.
func entity(text string) (string, int) {
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		return numericEntity(digits)
	}
	name, _, ok := strings.Cut(text[:min(len(text), longestEntity+1)], ";")
	character := entities[name]
	if !ok || character == "" {
		return "", 0
	}
	return character, len(name) + 1
}

// numericEntity reads what stands behind "&#".
func numericEntity(text string) (string, int) {
	base, start, count := 10, 0, 0
	if text != "" && (text[0] == 'x' || text[0] == 'X') {
		base, start = 16, 1
		count = hexDigits(text[start:], 6)
	} else {
		count = digits(text, 7)
	}
	if count == 0 {
		return "", 0
	}
	end := start + count
	character := string(rune(codeOf(text[start:end], base)))
	if strings.HasPrefix(text[end:], ";") {
		end++
	}
	return character, 1 + end
}

// escaped reads "\u0041", "\x41", "\/" and quotes, behind any number of backslashes.
func escaped(text string) (string, int) {
	at := backslashes(text)
	rest := text[at:]
	switch {
	case rest == "":
	case rest[0] == 'u' && hexDigits(rest[1:], 4) == 4:
		return string(rune(codeOf(rest[1:5], 16))), at + 5
	case rest[0] == 'x' && hexDigits(rest[1:], 2) == 2:
		return string(rune(codeOf(rest[1:3], 16))), at + 3
	case strings.IndexByte(`/"'`, rest[0]) >= 0:
		return rest[:1], at + 1
	}
	return "", 0
}

func backslashes(text string) int { return len(text) - len(strings.TrimLeft(text, `\`)) }

// hexDigits and digits count the digits that a text begins with, up to a limit.
func hexDigits(text string, limit int) int {
	return prefixOf(text, limit, func(c byte) bool {
		return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
	})
}

func digits(text string, limit int) int {
	return prefixOf(text, limit, func(c byte) bool { return '0' <= c && c <= '9' })
}

func prefixOf(text string, limit int, isIn func(byte) bool) int {
	n := 0
	for n < min(len(text), limit) && isIn(text[n]) {
		n++
	}
	return n
}

// codeOf reads digits, of which there are few enough.
func codeOf(digits string, base int) uint64 {
	code, _ := strconv.ParseUint(digits, base, 32)
	return code
}

// longestEntity is the length of the longest name in entities.
const longestEntity = len("UnderBar")

// entities are the names that HTML has for the characters of ASCII, which credentials consist of.
var entities = map[string]string{
	"Tab": "\t", "NewLine": "\n", "excl": "!", "quot": `"`, "QUOT": `"`, "num": "#", "dollar": "$", "percnt": "%",
	"amp": "&", "AMP": "&", "apos": "'", "lpar": "(", "rpar": ")", "ast": "*", "midast": "*", "plus": "+", "comma": ",",
	"period": ".", "sol": "/", "colon": ":", "semi": ";", "lt": "<", "LT": "<", "equals": "=", "gt": ">", "GT": ">",
	"quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": `\`, "rsqb": "]", "rbrack": "]", "Hat": "^",
	"lowbar": "_", "UnderBar": "_", "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|", "rcub": "}",
	"rbrace": "}",
}
