package errorbody

import "bytes"

// blankKeys redacts API keys. Messages about a suspended or wrong key are known to contain keys,
// and so are pages that quote the requested URL: "?key=AIzaSyD..." becomes "?key=REDACTED".
//
// It is written by hand because package regexp would add a quarter of a megabyte to every program.
func blankKeys(body []byte) []byte {
	for _, mark := range keyMarks {
		if bytes.Contains(body, mark) {
			body = blankAfter(body, mark)
		}
	}
	return body
}

// keyMarks come before keys or are their beginning.
var keyMarks = [][]byte{
	[]byte("api_key:"), []byte("?key="), []byte("&key="), []byte(`\u0026key=`), []byte("AIza"),
	[]byte("AQ."),
}

// shortestKey is the minimum number of bytes of a key after a mark.
const shortestKey = 4

// blankAfter returns a copy of body without the keys after mark.
func blankAfter(body, mark []byte) []byte {
	out := make([]byte, 0, len(body))
	for {
		before, after, found := bytes.Cut(body, mark)
		if out = append(out, before...); !found {
			return out
		}
		out = append(out, mark...)
		key := keyLength(after)
		if key >= shortestKey && !continuesWord(out, mark) {
			out = append(out, "REDACTED"...)
			after = after[key:]
		}
		body = after
	}
}

// continuesWord reports whether out, which ends in mark, has a word that runs into "AQ.":
// "FAQ.example" holds no key. The other marks are too rare in words to check.
func continuesWord(out, mark []byte) bool {
	before := len(out) - len(mark) - 1
	return string(mark) == "AQ." && before >= 0 && isWordByte(out[before])
}

// keyLength returns how many of the first bytes can belong to a key.
func keyLength(text []byte) int {
	end := 0
	for end < len(text) && (isWordByte(text[end]) || text[end] == '.' || text[end] == '-') {
		end++
	}
	return end
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
