package plainjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// valueLen returns the length of the JSON value that data begins with, and whether it is valid: its
// grammar, its strings, and no name twice in one object. Depth is how deeply the value itself is nested.
func valueLen(data []byte, depth int) (n int, ok bool) {
	v := valueScan{data: data}
	if n, ok = v.value(0, depth); ok && v.unsure {
		ok = jsontext.Value(data[:n]).IsValid()
	}
	return n, ok
}

// valueScan walks over values. Its methods take the index at which something begins and return the one
// behind its end.
type valueScan struct {
	data []byte
	// unsure is set when there are more names in one object than it is worth to compare one by one, or
	// names that must be unescaped to compare them.
	unsure bool
}

func (v *valueScan) value(i, depth int) (end int, ok bool) {
	if i >= len(v.data) {
		return 0, false
	}
	switch c := v.data[i]; c {
	case '"':
		end, _, ok = textEnd(v.data, i+1)
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
		n := numberLen(v.data[i:])
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
	if i = spaceEnd(v.data, i); v.at(i) == ']' {
		return i + 1, true
	}
	for {
		if i, ok = v.value(spaceEnd(v.data, i), depth); !ok {
			return 0, false
		}
		switch i = spaceEnd(v.data, i); v.at(i) {
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
	if i = spaceEnd(v.data, i); v.at(i) == '}' {
		return i + 1, true
	}
	var names nameSet
	for {
		if i = spaceEnd(v.data, i); v.at(i) != '"' {
			return 0, false
		}
		name := i + 1
		if i, _, ok = textEnd(v.data, name); !ok || names.has(v.data[name:i]) {
			return 0, false
		}
		v.unsure = !names.add(v.data[name:i]) || v.unsure
		if i = spaceEnd(v.data, i+1); v.at(i) != ':' {
			return 0, false
		}
		if i, ok = v.value(spaceEnd(v.data, i+1), depth); !ok {
			return 0, false
		}
		switch i = spaceEnd(v.data, i); v.at(i) {
		case ',':
			i++
		case '}':
			return i + 1, true
		default:
			return 0, false
		}
	}
}

// at returns the byte at i, 0 behind the end.
func (v *valueScan) at(i int) byte {
	if i < len(v.data) {
		return v.data[i]
	}
	return 0
}

// nameSet holds the first names of an object.
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

// add reports whether the set can tell the name from all others.
func (s *nameSet) add(name []byte) bool {
	if s.count == len(s.names) || bytes.IndexByte(name, '\\') >= 0 {
		return false
	}
	s.names[s.count] = name
	s.count++
	return true
}

// appendCompact appends a valid JSON value without the white space between its tokens.
func appendCompact(dst, value []byte) []byte {
	for i := spaceEnd(value, 0); i < len(value); {
		start := i
		for i < len(value) && !isSpace(value[i]) {
			if value[i] == '"' {
				i, _, _ = textEnd(value, i+1)
			}
			i++
		}
		dst = append(dst, value[start:i]...)
		i = spaceEnd(value, i)
	}
	return dst
}

// numberLen returns the length of the JSON number that data begins with, 0 if it begins with none.
func numberLen(data []byte) int {
	i := 0
	if i < len(data) && data[i] == '-' {
		i++
	}
	whole := digits(data[i:])
	if whole == 0 || whole > 1 && data[i] == '0' {
		return 0
	}
	i += whole
	if i < len(data) && data[i] == '.' {
		fraction := digits(data[i+1:])
		if fraction == 0 {
			return 0
		}
		i += 1 + fraction
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		exponent := digits(data[i:])
		if exponent == 0 {
			return 0
		}
		i += exponent
	}
	return i
}

// digits returns how many digits data begins with.
func digits(data []byte) int {
	n := 0
	for n < len(data) && isDigit(data[n]) {
		n++
	}
	return n
}
