package callargs

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// segment is one step of a path into JSON: to a member of an object or to an element of an array.
type segment struct {
	name  string
	index int // of the element, -1 for a member
}

func (s segment) isIndex() bool { return s.index >= 0 }

// parsePath reads the path of a partial argument. It accepts the part of RFC 9535's syntax that
// names one location: names after dots, and names in quotes and positions in brackets, for example
// $.menus[0]['main course']. The $ and the first dot are optional. isArray reports a path that ends
// in []. Such a path names the array itself. parsePath returns false for everything else.
func parsePath(path string) (segments []segment, isArray, ok bool) {
	rest := strings.TrimPrefix(strings.ToValidUTF8(path, "\uFFFD"), "$")
	if rest != "" && rest[0] != '.' && rest[0] != '[' {
		rest = "." + rest
	}
	for rest != "" {
		var s segment
		switch {
		case rest == "[]":
			return segments, true, true
		case rest[0] == '.':
			s, rest, ok = parseName(rest[1:])
		case len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"'):
			s, rest, ok = parseQuoted(rest[1:])
		case rest[0] == '[':
			s, rest, ok = parseIndex(rest[1:])
		default:
			ok = false
		}
		if !ok {
			return nil, false, false
		}
		segments = append(segments, s)
	}
	return segments, false, true
}

func parseName(text string) (s segment, rest string, ok bool) {
	end := strings.IndexAny(text, ".[")
	if end < 0 {
		end = len(text)
	}
	return segment{name: text[:end], index: -1}, text[end:], end > 0
}

// parseQuoted reads a name in single or double quotes, and the bracket after it.
func parseQuoted(text string) (s segment, rest string, ok bool) {
	quote := text[0]
	var literal strings.Builder // the name as a JSON string
	literal.WriteByte('"')
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			literal.WriteByte('"')
			name, err := jsontext.AppendUnquote(nil, literal.String())
			rest, ok = strings.CutPrefix(text[i+1:], "]")
			return segment{name: string(name), index: -1}, rest, ok && err == nil
		case c == '"':
			literal.WriteString(`\"`)
		case c == '\\' && i+1 < len(text) && text[i+1] == '\'': // JSON does not escape it
			literal.WriteByte('\'')
			i++
		case c == '\\' && i+1 < len(text):
			literal.WriteString(text[i : i+2])
			i++
		default:
			literal.WriteByte(c)
		}
	}
	return segment{}, "", false
}

func parseIndex(text string) (s segment, rest string, ok bool) {
	digits, rest, ok := strings.Cut(text, "]")
	index, err := strconv.ParseUint(digits, 10, 31)
	return segment{index: int(index)}, rest, ok && err == nil
}
