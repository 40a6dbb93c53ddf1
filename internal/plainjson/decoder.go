package plainjson

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads one JSON text from its start to its end. It stands before a value or a member's name,
// or behind a value; the white space around these is skipped. When what a method reads is not there,
// or not plain, the decoder fails: this and all later reads return zero values, and no object or list
// has any more members, so that only [Decoder.Done] must be asked in the end.
//
// What a decoder returns shares no memory with its input, except for the names of members. Pointers to
// strings and to numbers may be pointers into slices, which keep some neighbours of what they point to
// in memory, but never long ones.
type Decoder struct {
	data  []byte
	pos   int
	depth int
	fail  bool

	// What is left of the slices that hold what pointers point to.
	strings []string
	ints    []int
}

// NewDecoder returns a decoder of data.
func NewDecoder(data []byte) Decoder {
	return Decoder{data: data, pos: spaceEnd(data, 0)}
}

// Done reports whether everything that was read was plain, and nothing but white space is left.
func (d *Decoder) Done() bool {
	return !d.fail && spaceEnd(d.data, d.pos) == len(d.data)
}

// Fail makes the decoder fail.
func (d *Decoder) Fail() {
	d.fail = true
	d.data, d.pos = nil, 0
}

// BeginObject reads the start of an object and the name of its first member. It returns nil when there
// is no member, with the end of the object read as well.
func (d *Decoder) BeginObject() (name []byte) {
	if !d.begin('{', '}') {
		return nil
	}
	return d.name()
}

// NextMember reads the name of the object's next member like [Decoder.BeginObject].
func (d *Decoder) NextMember() (name []byte) {
	if !d.next('}') {
		return nil
	}
	return d.name()
}

// Once adds a known member, one bit, to those of an object that were seen before. It fails if the
// member is one of them.
func (d *Decoder) Once(seen, member uint64) uint64 {
	if seen&member != 0 {
		d.Fail()
	}
	return seen | member
}

// BeginList reads the start of a list and reports whether there is an element. The end of an empty list
// is read as well.
func (d *Decoder) BeginList() bool { return d.begin('[', ']') }

// NextElement reports whether the list has another element like [Decoder.BeginList].
func (d *Decoder) NextElement() bool { return d.next(']') }

// BeginMap reads the start of an object whose names are data, and reports whether there is an entry,
// whose key is next. The end of an empty map is read as well.
func (d *Decoder) BeginMap() bool { return d.begin('{', '}') }

// NextEntry reports whether the map has another entry like [Decoder.BeginMap].
func (d *Decoder) NextEntry() bool { return d.next('}') }

// Key reads the key of a map's entry.
func (d *Decoder) Key() string {
	key := d.String()
	d.colon()
	return key
}

// begin reports whether something comes between a bracket and its counterpart.
func (d *Decoder) begin(bracket, counterpart byte) bool {
	if d.at() != bracket || d.depth == maxDepth {
		d.Fail()
		return false
	}
	d.pos = spaceEnd(d.data, d.pos+1)
	if d.at() == counterpart {
		d.pos++
		return false
	}
	d.depth++
	return true
}

// next reports whether a comma follows, and not the end.
func (d *Decoder) next(end byte) bool {
	d.skipSpace()
	switch d.at() {
	case ',':
		d.pos = spaceEnd(d.data, d.pos+1)
		return true
	case end:
		d.pos++
		d.depth--
	default:
		d.Fail()
	}
	return false
}

// name reads a member's name, which is short and plain, and the colon.
func (d *Decoder) name() []byte {
	if d.at() != '"' {
		d.Fail()
		return nil
	}
	start := d.pos + 1
	n, ascii := plainRun(d.data[start:])
	if end := start + n; ascii && end < len(d.data) && d.data[end] == '"' {
		name := d.data[start:end]
		d.pos = end + 1
		d.colon()
		return name
	}
	d.Fail()
	return nil
}

func (d *Decoder) colon() {
	d.skipSpace()
	if d.at() != ':' {
		d.Fail()
		return
	}
	d.pos++
	d.skipSpace()
}

// at returns the next byte, 0 at the end of the text.
func (d *Decoder) at() byte {
	if d.pos < len(d.data) {
		return d.data[d.pos]
	}
	return 0
}

// skipSpace spares the call where there is mostly no space.
func (d *Decoder) skipSpace() {
	if d.pos < len(d.data) && d.data[d.pos] <= ' ' {
		d.pos = spaceEnd(d.data, d.pos)
	}
}

// Unknown reads the value of a member that is none of the known ones, and returns the object of such
// members with it. It fails if the name is a known one in another spelling, which the JSON library may
// be asked to accept.
func (d *Decoder) Unknown(unknown jsontext.Value, name []byte, known []string) jsontext.Value {
	for _, other := range known {
		if resemble(name, other) {
			d.Fail()
		}
	}
	value := d.value()
	if len(unknown) == 0 {
		unknown = append(unknown, '{')
	} else {
		unknown[len(unknown)-1] = ','
	}
	unknown = append(unknown, '"')
	unknown = append(unknown, name...)
	unknown = append(unknown, `":`...)
	unknown = append(unknown, value...)
	return append(unknown, '}')
}

// EndUnknown ends the reading of an object's unknown members. It fails if one of them is there twice.
func (d *Decoder) EndUnknown(unknown jsontext.Value) {
	if len(unknown) == 0 {
		return
	}
	if _, ok := valueLen(unknown, d.depth); !ok {
		d.Fail()
	}
}

// resemble reports whether two names are equal but for letter case, underscores and dashes.
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

// Null reports whether null is next, and reads it if so.
func (d *Decoder) Null() bool { return d.at() == 'n' && d.literal("null") }

// literal fails if word is not next.
func (d *Decoder) literal(word string) bool {
	if len(d.data)-d.pos < len(word) || string(d.data[d.pos:d.pos+len(word)]) != word {
		d.Fail()
		return false
	}
	d.pos += len(word)
	return true
}

// Bool reads a boolean.
func (d *Decoder) Bool() bool {
	if d.at() == 't' {
		return d.literal("true")
	}
	d.literal("false")
	return false
}

// IsString reports whether a string is next, which it does not read.
func (d *Decoder) IsString() bool { return d.at() == '"' }

// String reads a string.
func (d *Decoder) String() string {
	raw, size := d.text()
	switch string(raw) {
	case "model":
		return "model"
	case "user":
		return "user"
	}
	return text(raw, size)
}

// Word reads a string, which must hold no escapes, such as the name of an enum value. The bytes are
// those of the input.
func (d *Decoder) Word() []byte {
	raw, size := d.text()
	if size != len(raw) {
		d.Fail()
		return nil
	}
	return raw
}

// text reads a string and returns it as it is between its quotes, and how many bytes of text it is.
func (d *Decoder) text() (raw []byte, size int) {
	if d.at() != '"' {
		d.Fail()
		return nil, 0
	}
	start := d.pos + 1
	end, size, ok := textEnd(d.data, start)
	if !ok {
		d.Fail()
		return nil, 0
	}
	d.pos = end + 1
	return d.data[start:end], size
}

// Int64 reads a whole number without fraction and exponent.
func (d *Decoder) Int64() int64 {
	const maxDigits = 18 // any number of so many digits fits
	i, value := d.pos, int64(0)
	negative := d.at() == '-'
	if negative {
		i++
	}
	start := i
	for i < len(d.data) && isDigit(d.data[i]) && i-start < maxDigits {
		value = value*10 + int64(d.data[i]-'0')
		i++
	}
	// A digit, a dot or an exponent that follows makes the next read fail.
	if i == start || d.data[start] == '0' && i-start > 1 {
		d.Fail()
		return 0
	}
	d.pos = i
	if negative {
		return -value
	}
	return value
}

// Int reads a whole number like [Decoder.Int64] that fits in an int.
func (d *Decoder) Int() int {
	value := d.Int64()
	if int64(int(value)) != value {
		d.Fail()
		return 0
	}
	return int(value)
}

// Float64 reads a number in any form of JSON that is within the range of the type.
func (d *Decoder) Float64() float64 {
	n := numberLen(d.data[d.pos:])
	value, err := strconv.ParseFloat(string(d.data[d.pos:d.pos+n]), 64)
	if err != nil {
		d.Fail()
		return 0
	}
	d.pos += n
	return value
}

// NewString reads a string to where a pointer can point.
func (d *Decoder) NewString() *string { return d.hold(d.String()) }

// NewWord returns a pointer to the name of an enum value that was read.
func (d *Decoder) hold(s string) *string {
	if len(d.strings) == 0 {
		d.strings = make([]string, 8)
	}
	p := &d.strings[0]
	d.strings = d.strings[1:]
	*p = s
	return p
}

// NewInt reads a whole number to where a pointer can point.
func (d *Decoder) NewInt() *int {
	if len(d.ints) == 0 {
		d.ints = make([]int, 8)
	}
	p := &d.ints[0]
	d.ints = d.ints[1:]
	*p = d.Int()
	return p
}

// Value reads a value of any kind and returns its bytes. It fails on null, which the wire formats take
// for something or for nothing.
func (d *Decoder) Value() jsontext.Value {
	if d.at() == 'n' {
		d.Fail()
	}
	return slices.Clone(d.value())
}

// value reads any value and returns its bytes, which are those of the input.
func (d *Decoder) value() jsontext.Value {
	n, ok := valueLen(d.data[d.pos:], d.depth)
	if !ok {
		d.Fail()
		return nil
	}
	d.pos += n
	return d.data[d.pos-n : d.pos]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

var _ = utf8.RuneSelf
