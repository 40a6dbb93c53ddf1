package jsonx

import "bytes"

// The two scans here decide which options a document needs. They look at bytes, not at JSON: text
// that resembles a member costs a slower decode, never a different result of its own.

// hasSnakeCaseName reports whether data holds a member name with an underscore in it.
//
// Only then are names matched without regard to case and underscores. Doing so always would decode
// just as fast, but would also rename a misspelt member such as "tokenID", which otherwise survives
// as the unknown member that it is.
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

// maxName is longer than any snake_case name that the wire knows. It bounds the look ahead, which
// would be slow in megabytes of base64 that hold underscores.
const maxName = 64

// endsName reports whether the quote at end closes a member name: a colon follows, and the quote
// that opens it is none of the text of a string, which would be escaped.
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

// hasNullMember reports whether data holds a null after a colon.
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
