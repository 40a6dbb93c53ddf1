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
	case '\r', '\n':
		return "", 1
	default:
		return "", 0
	}
}

// percentEncoded reads "%41" or "%252541", and "%u0041", which browsers' escape wrote.
func percentEncoded(text string) (string, int) {
	at := 1
	for strings.HasPrefix(text[at:], "25") && hexDigits(text[at+2:], 2) == 2 {
		at += 2
	}
	if strings.HasPrefix(text[at:], "u") && hexDigits(text[at+1:], 4) == 4 {
		return string(rune(codeOf(text[at+1:at+5], 16))), at + 5
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
	}
	zeros := len(text[start:]) - len(strings.TrimLeft(text[start:], "0"))
	if start += zeros; base == 16 {
		count = hexDigits(text[start:], 6)
	} else {
		count = digits(text[start:], 7)
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

// escaped reads the escapes of JSON, Go, JavaScript and Python behind any number of backslashes: "\u0041",
// "\U00000041", "\u{41}", "\x41", "\101", "\/" and quotes. The end of a line is none.
func escaped(text string) (string, int) {
	at := backslashes(text)
	rest := text[at:]
	if rest == "" {
		return "", 0
	}
	switch c := rest[0]; {
	case c == 'n' || c == 'r':
		return "", at + 1
	case strings.IndexByte(`/"'`, c) >= 0:
		return rest[:1], at + 1
	case '0' <= c && c <= '3' && octalDigits(rest) == 3:
		return string(rune(codeOf(rest[:3], 8))), at + 3
	case c == 'u' && strings.HasPrefix(rest[1:], "{"):
		count := hexDigits(rest[2:], 6)
		if count > 0 && strings.HasPrefix(rest[2+count:], "}") {
			return string(rune(codeOf(rest[2:2+count], 16))), at + 3 + count
		}
	}
	count := escapeDigits[rest[0]]
	if count == 0 || hexDigits(rest[1:], count) < count {
		return "", 0
	}
	return string(rune(codeOf(rest[1:1+count], 16))), at + 1 + count
}

// escapeDigits says how many digits an escape has.
var escapeDigits = map[byte]int{'u': 4, 'x': 2, 'U': 8}

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

func octalDigits(text string) int {
	return prefixOf(text, 3, func(c byte) bool { return '0' <= c && c <= '7' })
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
