package jsonx

import "bytes"

// The two scans here decide which options a document needs. They look at bytes, not at JSON. A text
// that resembles a member makes decoding slower, but never changes the result.

// hasSnakeCaseName reports whether data has a member name with an underscore.
//
// Only then does the decoder ignore case and underscores in names. Ignoring them always would be as
// fast. But it would also rename a misspelt member such as "tokenID", which must stay an unknown
// member.
func hasSnakeCaseName(data []byte) bool {
	for pos := 0; ; {
		n := bytes.IndexByte(data[pos:], '_')
		if n < 0 {
			return false
		}
		pos += n
		ahead := data[pos:min(pos+maxName, len(data))]
		quote := bytes.IndexByte(ahead, '"')
		if quote > 0 && endsName(data, pos+quote) {
			return true
		}
		pos += max(quote, 1)
	}
}

// maxName is longer than any snake_case name of the API. It limits the search, which would be slow
// in megabytes of base64 with underscores.
const maxName = 64

// endsName reports whether the quote at end closes a member name. A colon must follow. The opening
// quote must not be part of a string's text, in which it would be escaped.
func endsName(data []byte, end int) bool {
	if after := bytes.TrimLeft(data[end+1:], space); len(after) == 0 || after[0] != ':' {
		return false
	}
	start := end
	for start > 0 && isNameByte(data[start-1]) {
		start--
	}
	return start > 0 && data[start-1] == '"' && (start < 2 || data[start-2] != '\\')
}

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// hasNullMember reports whether data has a null after a colon.
func hasNullMember(data []byte) bool {
	for {
		colon := bytes.IndexByte(data, ':')
		if colon < 0 {
			return false
		}
		data = data[colon+1:]
		if bytes.HasPrefix(bytes.TrimLeft(data, space), []byte("n")) {
			return true
		}
	}
}

// space is the white space of JSON.
const space = " \t\r\n"
