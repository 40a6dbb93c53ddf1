package plainjson

import (
	"bytes"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Fault says what a lenient encoder or decoder refused, and where. Other encoders and decoders only
// report that something was not plain.
type Fault struct {
	// Offset is the beginning of the invalid value, or the end of the object that lacks a member.
	Offset int
	// Member is the name of a missing member.
	Member string
	// Reason describes the fault.
	Reason string
}

// The reasons of faults.
const (
	NotJSON             = "not JSON"
	TooDeep             = "it is nested too deeply"
	NullValue           = "a value other than null was expected"
	StringExpected      = "a string was expected"
	BoolExpected        = "a boolean was expected"
	NumberExpected      = "a number was expected"
	WholeNumberExpected = "a whole number was expected"
	TimeExpected        = "a time by RFC 3339 was expected"
	ShortYearExpected   = "a year of four digits was expected"
	ObjectExpected      = "an object was expected"
	ListExpected        = "a list was expected"
	MemberMissing       = "a required member is missing"
	MemberUnexpected    = "not a member of this object, or a duplicate"
	ValueUnknown        = "not a known value"
	VariantUnknown      = "not one of the variants, as a plain value"
	VersionTooOld       = "only a later version has this"
)

// Pointer returns the JSON pointer of the invalid value in data. data must be JSON up to there.
func (f Fault) Pointer(data []byte) jsontext.Pointer {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), Lenient)
	for d.InputOffset() <= int64(f.Offset) {
		if _, err := d.ReadToken(); err != nil {
			break
		}
	}
	pointer := d.StackPointer()
	if f.Member != "" {
		pointer = pointer.AppendToken(f.Member)
	}
	return pointer
}

// Lenient makes the JSON library accept everything that JSON.parse accepts: the same member twice,
// and lone surrogates.
var Lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// ValidUTF8 replaces each invalid byte of data by U+FFFD. It returns valid data itself.
func ValidUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return []byte(string([]rune(string(data))))
}
