package plainjson

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// NewLenientDecoder returns a decoder of data, which must be JSON and valid UTF-8. It reads what is
// not plain too: escapes in names, lone surrogates, of which U+FFFD is made, and free-form values
// with the same member twice. Types whose objects are closed are read by it where [NewDecoder]
// fails, to know why.
func NewLenientDecoder(data []byte) Decoder {
	d := NewDecoder(data)
	d.lenient = true
	return d
}

// Fault returns why the decoder failed.
func (d *Decoder) Fault() Fault { return d.fault }

// expect makes the decoder fail where it stands, for a reason. Null is an absent member.
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

// Empty reports whether the empty string is next, and reads it if so.
func (d *Decoder) Empty() bool { return d.at() == '"' && at(d.data, d.pos+1) == '"' && d.literal(`""`) }

// IsObject reports whether an object is next, which it does not read.
func (d *Decoder) IsObject() bool { return d.at() == '{' }

// Constant fails if the next value is not one string.
func (d *Decoder) Constant(value string) {
	if start := d.pos; string(d.Word()) != value {
		d.failAt(start, "", ValueUnknown)
	}
}

// UnknownWord fails for what [Decoder.Word] has just read.
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

// Variant returns the string that the next value, an object, has as the named member, and leaves
// the decoder before the object.
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

// UnknownVariant fails for what [Decoder.Variant] has just returned.
func (d *Decoder) UnknownVariant(member string) {
	look := *d
	look.find(member)
	d.failAt(look.pos-1, "", ValueUnknown)
}

// find goes to the end of a member's value, which it returns.
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

// Unexpected reads the value of a member that a closed object does not have, and returns where the
// first such member is, which is at first if that is not 0.
func (d *Decoder) Unexpected(first int) int {
	start := d.pos
	d.value()
	if first != 0 {
		return first
	}
	return start
}

// EndClosed ends the reading of a closed object. Seen has the present members, and required has the
// required ones. The names belong to the bits from the lowest on. Unexpected is the last result of
// [Decoder.Unexpected], or 0.
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

// lenientText reads a string of any kind. It reports false if that is not what follows.
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

// lenientValueLen returns the length of the JSON value that data begins with.
func lenientValueLen(data []byte) int {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), Lenient)
	_ = d.SkipValue() // data is known to be JSON
	return int(d.InputOffset())
}
