package plainjson

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads one JSON text from start to end. It is always before a value or a member's name, or
// after a value, and skips the white space around them. If the expected value is missing or not
// plain, the decoder fails. Then this and all later reads return zero values, and objects and lists
// have no more members. So a caller only needs to check [Decoder.Done] at the end.
//
// The results do not share memory with the input, except for names of members and words. Decoders
// with the same [Recent] share strings.
type Decoder struct {
	data  []byte
	pos   int
	depth int
	fail  bool
	// lenient makes the decoder read all JSON; see NewLenientDecoder.
	lenient bool
	fault   Fault

	// ints is the unused rest of a slice. Pointers to numbers point into this slice.
	ints []int
	// texts is the same for strings.
	texts []string
	// Recent has short strings of earlier texts, which need not be allocated again. It may be nil.
	Recent *Recent
}

// NewDecoder returns a decoder of data.
func NewDecoder(data []byte) Decoder {
	return Decoder{data: data, pos: spaceEnd(data, 0)}
}

// Done reports whether everything that was read was plain, and only white space is left.
func (d *Decoder) Done() bool {
	return !d.fail && spaceEnd(d.data, d.pos) == len(d.data)
}

// Fail makes the decoder fail.
func (d *Decoder) Fail() { d.failAt(d.pos, "", MemberUnexpected) }

// failAt makes the decoder fail for a reason, unless it has failed before.
func (d *Decoder) failAt(offset int, member, reason string) {
	if !d.fail {
		d.fault = Fault{Offset: offset, Member: member, Reason: reason}
	}
	d.fail = true
	d.data, d.pos = nil, 0
}

// BeginObject reads the start of an object and the name of its first member. If the object is
// empty, it reads its end and returns nil.
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

// Once adds a known member, which is one bit, to the members that were already seen in an object.
// It fails if the member was seen before.
func (d *Decoder) Once(seen, member uint64) uint64 {
	if seen&member != 0 {
		d.Fail()
	}
	return seen | member
}

// BeginList reads the start of a list and reports whether the list has an element. It also reads
// the end of an empty list.
func (d *Decoder) BeginList() bool { return d.begin('[', ']') }

// NextElement reports whether the list has another element like [Decoder.BeginList].
func (d *Decoder) NextElement() bool { return d.next(']') }

// Offset returns the number of bytes that were read.
func (d *Decoder) Offset() int { return d.pos }

// GrowList returns a list of objects with capacity for another one. It estimates how many objects
// the rest of the text may contain, from the length of the objects since the offset. So a long list
// of large objects is rarely copied.
func GrowList[T any](d *Decoder, begin int, list []T) []T {
	const most = 64
	if len(list) < cap(list) || len(list) == 0 {
		return list
	}
	more := 1 + len(list)*(len(d.data)-d.pos)/max(d.pos-begin, 1)
	return slices.Grow(list, min(more, max(len(list), most)))
}

// BeginMap reads the start of an object with arbitrary names, and reports whether it has an entry.
// The entry's key is next. It also reads the end of an empty map.
func (d *Decoder) BeginMap() bool { return d.begin('{', '}') }

// NextEntry reports whether the map has another entry like [Decoder.BeginMap].
func (d *Decoder) NextEntry() bool { return d.next('}') }

// Key reads the key of a map's entry.
func (d *Decoder) Key() string {
	key := d.String()
	colon := skipSpace(d.data, d.pos)
	if at(d.data, colon) != ':' {
		d.Fail()
		return ""
	}
	d.pos = skipSpace(d.data, colon+1)
	return key
}

// begin reports whether there is content between an opening and a closing bracket.
func (d *Decoder) begin(bracket, counterpart byte) bool {
	switch {
	case d.at() != bracket:
		d.expect(expectedAt[bracket])
		return false
	case d.depth == maxDepth:
		d.failAt(d.pos, "", TooDeep)
		return false
	}
	d.pos = skipSpace(d.data, d.pos+1)
	if d.at() == counterpart {
		d.pos++
		return false
	}
	d.depth++
	return true
}

// expectedAt is never modified.
var expectedAt = map[byte]string{'{': ObjectExpected, '[': ListExpected}

// next reports whether a comma follows. Otherwise the end follows.
func (d *Decoder) next(end byte) bool {
	i := skipSpace(d.data, d.pos)
	switch at(d.data, i) {
	case ',':
		d.pos = skipSpace(d.data, i+1)
		return true
	case end:
		d.pos = i + 1
		d.depth--
	default:
		d.Fail()
	}
	return false
}

// name reads a member's name up to the first quote, and the colon. It does not check whether the
// name is plain: known names are plain, and [Decoder.Unknown] checks all other names.
func (d *Decoder) name() []byte {
	if d.lenient {
		return []byte(d.Key())
	}
	if d.at() != '"' {
		d.Fail()
		return nil
	}
	rest := d.data[d.pos+1:]
	end := bytes.IndexByte(rest, '"')
	colon := skipSpace(rest, end+1)
	if end < 0 || at(rest, colon) != ':' {
		d.Fail()
		return nil
	}
	d.pos += 1 + skipSpace(rest, colon+1)
	return rest[:end]
}

// at returns the next byte, or 0 at the end of the text.
func (d *Decoder) at() byte { return at(d.data, d.pos) }

// Null reads null if it is next, and reports whether it was.
func (d *Decoder) Null() bool { return d.at() == 'n' && d.literal("null") }

// literal reads word. It fails if word is not next.
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
	switch d.at() {
	case 't':
		return d.literal("true")
	case 'f':
		d.literal("false")
	default:
		d.expect(BoolExpected)
	}
	return false
}

// IsString reports whether a string is next. It does not read the string.
func (d *Decoder) IsString() bool { return d.at() == '"' }

// String reads a string.
func (d *Decoder) String() string {
	if d.at() == '"' {
		if s, end, ok := text(d.data, d.pos+1, d.Recent); ok {
			d.pos = end + 1
			return s
		}
		if s, ok := d.lenientText(); ok {
			return s
		}
	}
	d.expect(StringExpected)
	return ""
}

// NewString reads a string and returns a pointer to it. Several strings share an allocation.
func (d *Decoder) NewString() *string {
	if len(d.texts) == 0 {
		d.texts = make([]string, 4)
	}
	p := &d.texts[0]
	d.texts = d.texts[1:]
	*p = d.String()
	return p
}

// Word reads a string that must be ASCII without escapes, such as the name of an enum value. The
// result shares the bytes of the input.
func (d *Decoder) Word() []byte {
	if d.at() == '"' {
		start := d.pos + 1
		n, ascii := plainRun(d.data[start:])
		if end := start + n; ascii && at(d.data, end) == '"' {
			d.pos = end + 1
			return d.data[start:end]
		}
		if s, ok := d.lenientText(); ok {
			return []byte(s)
		}
	}
	d.expect(StringExpected)
	return nil
}

// Value reads a value of any kind and returns its bytes. It fails on null, because the APIs differ
// in the meaning of null.
func (d *Decoder) Value() jsontext.Value {
	if d.at() == 'n' {
		d.expect(NullValue)
	}
	return slices.Clone(d.value())
}

// Again reads the next value if it is an object or a list with the same bytes as the given value.
// It reports whether it is. Otherwise it reads nothing.
func (d *Decoder) Again(value []byte) bool {
	if len(value) == 0 || !bytes.HasPrefix(d.data[d.pos:], value) {
		return false
	}
	d.pos += len(value)
	return true
}

// value reads any value and returns its bytes. The result shares memory with the input.
func (d *Decoder) value() jsontext.Value {
	n, ok := valueLen(d.data[d.pos:], d.depth)
	if !ok && d.lenient {
		n, ok = lenientValueLen(d.data[d.pos:]), true
	}
	if !ok {
		d.Fail()
		return nil
	}
	d.pos += n
	return d.data[d.pos-n : d.pos]
}

// at returns the byte at i, or 0 after the end.
func at(data []byte, i int) byte {
	if i < len(data) {
		return data[i]
	}
	return 0
}
