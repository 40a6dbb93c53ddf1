package intake

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// HugeNumber returns the location of a number in a JSON body that is too large for clients to
// parse, such as 1e400. Some answers repeat values of their requests. found is false for a body
// that is not JSON.
func HugeNumber(body []byte) (pointer string, found bool) {
	if !mayHaveHugeNumber(body) {
		return "", false
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return "", false
		}
		if token.Kind() != jsontext.KindNumber {
			continue
		}
		if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
			return string(decoder.StackPointer()), true
		}
	}
}

// shortestHuge is the minimum number of digits of a possibly huge number without an exponent, and
// of a possibly huge exponent.
const (
	shortestHuge     = 309
	shortestExponent = 2 // 1000...e99, of many digits
)

// mayHaveHugeNumber reports whether a body has text that looks like a huge number, which may be in
// a string. It reads a body once, mostly at memory speed.
func mayHaveHugeNumber(body []byte) bool {
	for i := 0; i < len(body); i++ {
		if body[i] != ':' && body[i] != '[' && body[i] != ',' {
			continue
		}
		for i+1 < len(body) && isSpace(body[i+1]) {
			i++
		}
		if isHuge(body[i+1:]) {
			return true
		}
	}
	return false
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// isHuge reports whether a text begins with a possibly huge number.
func isHuge(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	digits := countDigits(text)
	if digits == 0 {
		return false
	}
	rest := text[digits:]
	if len(rest) > 0 && rest[0] == '.' {
		rest = rest[1+countDigits(rest[1:]):]
	}
	if len(rest) == 0 || rest[0] != 'e' && rest[0] != 'E' {
		return digits >= shortestHuge
	}
	return countDigits(bytes.TrimPrefix(rest[1:], []byte("+"))) >= shortestExponent
}

func countDigits(text []byte) (n int) {
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}
