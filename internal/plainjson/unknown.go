package plainjson

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Unknown reads the value of an unknown member, and adds it to the object of unknown members. It
// fails if the name is not ASCII or has escapes. It also fails if the name is another spelling of a
// known name, because the JSON library may accept such spellings.
func (d *Decoder) Unknown(unknown jsontext.Value, name []byte, known []string) jsontext.Value {
	if d.lenient {
		return d.lenientUnknown(unknown, name)
	}
	if len(name) > maxName || !isPlainName(name) ||
		slices.ContainsFunc(known, func(other string) bool { return resemble(name, other) }) {
		d.Fail()
	}
	value := d.value()
	unknown = append(beginMember(unknown), '"')
	unknown = append(unknown, name...)
	unknown = append(unknown, `":`...)
	unknown = append(unknown, value...)
	return append(unknown, '}')
}

// lenientUnknown accepts any name.
func (d *Decoder) lenientUnknown(unknown jsontext.Value, name []byte) jsontext.Value {
	unknown, _ = jsontext.AppendQuote(beginMember(unknown), name)
	unknown = append(append(unknown, ':'), d.value()...)
	return append(unknown, '}')
}

// beginMember opens an object for another member.
func beginMember(object jsontext.Value) jsontext.Value {
	if len(object) == 0 {
		return append(object, '{')
	}
	object[len(object)-1] = ','
	return object
}

// EndUnknown ends the reading of an object's unknown members. It fails if one of them occurs twice.
func (d *Decoder) EndUnknown(unknown jsontext.Value) {
	if len(unknown) == 0 || d.lenient {
		return
	}
	if _, ok := valueLen(unknown, d.depth); !ok {
		d.Fail()
	}
}

// maxName limits the time to compare a name with all known names.
const maxName = 128

func isPlainName(name []byte) bool {
	n, ascii := plainRun(name)
	return ascii && n == len(name)
}

// resemble reports whether two names differ only in letter case, underscores and dashes.
func resemble(name []byte, other string) bool {
	i := 0
	for _, c := range name {
		if c == '_' || c == '-' {
			continue
		}
		for i < len(other) && (other[i] == '_' || other[i] == '-') {
			i++
		}
		if i == len(other) || lower(c) != lower(other[i]) {
			return false
		}
		i++
	}
	return strings.Trim(other[i:], "_-") == ""
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// unknown appends the members of an object to the object around it. Known names must not be among
// them.
func (e *Encoder) unknown(dst []byte, unknown jsontext.Value, known []string) []byte {
	begin, ok := len(dst), false
	if e.Lenient {
		ok = areUnknown(unknown, known)
		dst = e.Value(dst, unknown)
	} else {
		dst, ok = appendUnknown(dst, unknown, known)
	}
	if !ok {
		e.fail = true
		return dst[:begin]
	}
	if len(dst) <= begin+len("{}") {
		return dst[:begin]
	}
	dst[begin] = ','
	return dst[:len(dst)-1]
}

// areUnknown reports whether a value is an object without known members.
func areUnknown(unknown jsontext.Value, known []string) bool {
	d := Decoder{data: unknown, pos: spaceEnd(unknown, 0), lenient: true}
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		if slices.Contains(known, string(name)) {
			d.Fail()
		}
		d.value()
	}
	return d.Done()
}
