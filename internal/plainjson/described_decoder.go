package plainjson

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// NewLenientDecoder returns a decoder of data, which must be JSON and valid UTF-8. It also reads
// JSON that is not plain: escapes in names, free-form values with the same member twice, and lone
// surrogates, which it replaces by U+FFFD. Types with closed objects use it after [NewDecoder]
// fails, to find the reason.
func NewLenientDecoder(data []byte) Decoder {
	d := NewDecoder(data)
	d.lenient = true
	return d
}

// Fault returns why the decoder failed.
func (d *Decoder) Fault() Fault { return d.fault }

// expect makes the decoder fail at its current position, for a reason. Null is an absent member.
func (d *Decoder) expect(reason string) {
	if d.at() == 'n' {
		reason = MemberMissing
	}
	d.failAt(d.pos, "", reason)
}

// NonNull fails if null is next.
func (d *Decoder) NonNull() {
	if d.at() == 'n' {
		d.expect(MemberMissing)
	}
}

// Empty reads the empty string if it is next, and reports whether it was.
func (d *Decoder) Empty() bool { return d.at() == '"' && at(d.data, d.pos+1) == '"' && d.literal(`""`) }

// IsObject reports whether an object is next. It does not read the object.
func (d *Decoder) IsObject() bool { return d.at() == '{' }

// Constant fails if the next value is not a given string.
func (d *Decoder) Constant(value string) {
	if start := d.pos; string(d.Word()) != value {
		d.failAt(start, "", ValueUnknown)
	}
}

// UnknownWord fails because the result of the last [Decoder.Word] is not known.
func (d *Decoder) UnknownWord() { d.failAt(d.pos-1, "", ValueUnknown) }

// Object reads a free-form object and returns its bytes.
func (d *Decoder) Object() jsontext.Value {
	if d.at() != '{' {
		d.failAt(d.pos, "", ObjectExpected)
	}
	return d.Value()
}

// Time reads a time by RFC 3339.
func (d *Decoder) Time() time.Time {
	start := d.pos
	v, err := time.Parse(time.RFC3339Nano, d.String())
	if err != nil {
		d.failAt(start, "", TimeExpected)
	}
	return v
}

// Variant returns the string of a named member in the next value, which must be an object. It
// leaves the decoder before the object.
func (d *Decoder) Variant(member string) []byte {
	if d.at() != '{' {
		d.failAt(d.pos, "", ObjectExpected)
		return nil
	}
	look := *d
	value := look.find(member)
	if look.fail {
		d.failAt(look.fault.Offset, look.fault.Member, look.fault.Reason)
	}
	return value
}

// UnknownVariant fails because the result of the last [Decoder.Variant] is not known.
func (d *Decoder) UnknownVariant(member string) {
	look := *d
	look.find(member)
	d.failAt(look.pos-1, "", ValueUnknown)
}

// find reads to the end of a member's value and returns the value.
func (d *Decoder) find(member string) []byte {
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		if string(name) == member {
			if d.at() != '"' {
				d.expect(StringExpected)
			}
			return d.Word()
		}
		d.value()
	}
	d.failAt(d.pos-1, member, MemberMissing)
	return nil
}

// Unexpected reads the value of a member that is not allowed in a closed object. It returns the
// offset of the first such member, which is first if that is not 0.
func (d *Decoder) Unexpected(first int) int {
	start := d.pos
	d.value()
	if first != 0 {
		return first
	}
	return start
}

// EndClosed ends the reading of a closed object. seen has the members that are present, and
// required the required members. The names belong to the bits, beginning at the lowest. unexpected
// is the last result of [Decoder.Unexpected], or 0.
func (d *Decoder) EndClosed(seen, required uint64, names []string, unexpected int) {
	for i, name := range names {
		if required&^seen&(1<<i) != 0 {
			d.failAt(d.pos-1, name, MemberMissing)
			return
		}
	}
	if unexpected != 0 {
		d.failAt(unexpected, "", MemberUnexpected)
	}
}

// lenientText reads a string that may not be plain. It returns false if the next value is not a
// string.
func (d *Decoder) lenientText() (text string, ok bool) {
	n := closingQuote(d.data[d.pos+1:])
	if !d.lenient || n < 0 {
		return "", false
	}
	quoted := d.data[d.pos : d.pos+n+2]
	d.pos += len(quoted)
	unquoted, _ := jsontext.AppendUnquote(nil, quoted) // the error is about lone surrogates
	return strings.ToValidUTF8(string(unquoted), string(utf8.RuneError)), true
}

// lenientValueLen returns the length of the JSON value at the beginning of data.
func lenientValueLen(data []byte) int {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), Lenient)
	_ = d.SkipValue() // data is known to be JSON
	return int(d.InputOffset())
}
