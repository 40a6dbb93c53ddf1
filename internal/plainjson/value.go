package plainjson

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// valueLen returns the length of the JSON value at the beginning of data, and whether it is valid.
// It checks the grammar, the strings, and that no name occurs twice in an object. depth is the
// nesting of the value itself.
func valueLen(data []byte, depth int) (n int, ok bool) {
	v := valueScan{data: data}
	if n, ok = v.value(0, depth); ok && v.unsure {
		ok = jsontext.Value(data[:n]).IsValid()
	}
	return n, ok
}

// IsValid reports whether data is one JSON value, like [jsontext.Value.IsValid]. It calls that
// method for values that are not plain.
func IsValid(data []byte) bool {
	begin := skipSpace(data, 0)
	if n, ok := valueLen(data[begin:], 0); ok && skipSpace(data, begin+n) == len(data) {
		return true
	}
	return jsontext.Value(data).IsValid()
}

// appendCompact appends the value in data without the white space between its tokens. It reports
// whether the value is valid, like valueLen.
func appendCompact(dst, data []byte) ([]byte, bool) {
	v := valueScan{data: data, compact: true, out: dst, rest: skipSpace(data, 0)}
	return v.whole()
}

// appendUnknown appends an object without white space, and reports whether it is valid, has plain
// names and has none of the known names.
func appendUnknown(dst, object []byte, known []string) ([]byte, bool) {
	if begin := skipSpace(object, 0); at(object, begin) != '{' {
		return dst, false
	}
	v := valueScan{data: object, compact: true, out: dst, rest: skipSpace(object, 0),
		isUnknown: true, known: known}
	return v.whole()
}

// valueScan walks over values. Its methods take the index of the beginning of an element, and
// return the index after its end.
type valueScan struct {
	data []byte
	// unsure is set if an object has too many names to compare, or names that must be unescaped
	// first.
	unsure bool

	// compact requests a copy without white space. The copy is out, and then the bytes after rest.
	compact bool
	out     []byte
	rest    int

	// isUnknown asks for an outer object with plain names other than the known ones.
	isUnknown bool
	known     []string
}

// whole scans all data and returns the copy.
func (v *valueScan) whole() (out []byte, ok bool) {
	dst := v.out
	end, ok := v.value(v.rest, 0)
	if !ok || skipSpace(v.data, end) < len(v.data) ||
		v.unsure && !jsontext.Value(v.data).IsValid() {
		return dst, false
	}
	return append(v.out, v.data[v.rest:end]...), true
}

func (v *valueScan) space(i int) int {
	if i < len(v.data) && v.data[i] <= ' ' {
		return v.skip(i)
	}
	return i
}

func (v *valueScan) skip(i int) int {
	end := spaceEnd(v.data, i)
	if end > i && v.compact {
		v.out = append(v.out, v.data[v.rest:i]...)
		v.rest = end
	}
	return end
}

func (v *valueScan) value(i, depth int) (end int, ok bool) {
	switch at(v.data, i) {
	case '"':
		end, ok = textEnd(v.data, i+1)
		return end + 1, ok
	case '{':
		return v.object(i+1, depth+1)
	case '[':
		return v.list(i+1, depth+1)
	case 't':
		return v.literal(i, "true")
	case 'f':
		return v.literal(i, "false")
	case 'n':
		return v.literal(i, "null")
	default:
		n := numberLen(v.data[min(i, len(v.data)):])
		return i + n, n > 0
	}
}

func (v *valueScan) literal(i int, word string) (end int, ok bool) {
	end = i + len(word)
	return end, end <= len(v.data) && string(v.data[i:end]) == word
}

func (v *valueScan) list(i, depth int) (end int, ok bool) {
	if depth > maxDepth {
		return 0, false
	}
	if i = v.space(i); at(v.data, i) == ']' {
		return i + 1, true
	}
	for {
		if i, ok = v.value(v.space(i), depth); !ok {
			return 0, false
		}
		switch i = v.space(i); at(v.data, i) {
		case ',':
			i++
		case ']':
			return i + 1, true
		default:
			return 0, false
		}
	}
}

func (v *valueScan) object(i, depth int) (end int, ok bool) {
	if depth > maxDepth {
		return 0, false
	}
	if i = v.space(i); at(v.data, i) == '}' {
		return i + 1, true
	}
	var names nameSet
	for {
		if i = v.space(i); at(v.data, i) != '"' {
			return 0, false
		}
		name := i + 1
		if i, ok = textEnd(v.data, name); !ok || names.has(v.data[name:i]) {
			return 0, false
		}
		if v.isUnknown && depth == 1 && !v.mayBeUnknown(v.data[name:i]) {
			return 0, false
		}
		v.unsure = !names.add(v.data[name:i]) || v.unsure
		if i = v.space(i + 1); at(v.data, i) != ':' {
			return 0, false
		}
		if i, ok = v.value(v.space(i+1), depth); !ok {
			return 0, false
		}
		switch i = v.space(i); at(v.data, i) {
		case ',':
			i++
		case '}':
			return i + 1, true
		default:
			return 0, false
		}
	}
}

// mayBeUnknown reports whether a name is plain and not known.
func (v *valueScan) mayBeUnknown(name []byte) bool {
	return isPlainName(name) && !slices.Contains(v.known, string(name))
}

// nameSet contains the first names of an object.
type nameSet struct {
	names [16][]byte
	count int
}

func (s *nameSet) has(name []byte) bool {
	for _, other := range s.names[:s.count] {
		if bytes.Equal(name, other) {
			return true
		}
	}
	return false
}

// add reports whether the set can distinguish the name from all other names.
func (s *nameSet) add(name []byte) bool {
	if s.count == len(s.names) || bytes.IndexByte(name, '\\') >= 0 {
		return false
	}
	s.names[s.count] = name
	s.count++
	return true
}
