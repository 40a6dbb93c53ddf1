package plainjson

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxFault describes why data is not one JSON object. It does not quote data.
type SyntaxFault struct {
	// Pointer is the JSON pointer of the fault. "" is the whole text.
	Pointer string
	// Offset is the number of bytes before the fault.
	Offset int64
	// Reason describes the fault.
	Reason string
	// Err is the cause, an error of the JSON library, or nil. Its own text may quote data.
	Err error
}

// CheckObject returns why data is not one JSON object. It returns nil if it is one.
func CheckObject(data []byte) *SyntaxFault {
	d := jsontext.NewDecoder(bytes.NewBuffer(data), Lenient)
	if kind := d.PeekKind(); kind != jsontext.KindBeginObject && kind != jsontext.KindInvalid {
		return &SyntaxFault{Reason: ObjectExpected}
	}
	if err := d.SkipValue(); err != nil {
		return NewSyntaxFault(err)
	}
	switch _, err := d.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return NewSyntaxFault(err)
	default:
		return &SyntaxFault{Reason: "something follows it"}
	}
}

// NewSyntaxFault converts an error of the JSON library.
func NewSyntaxFault(err error) *SyntaxFault {
	out := &SyntaxFault{Reason: NotJSON, Err: err}
	syntactic, isSyntax := errors.AsType[*jsontext.SyntacticError](err)
	if isSyntax {
		out.Pointer, out.Offset = string(syntactic.JSONPointer), syntactic.ByteOffset
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		out.Reason = "it ends too early"
	case isSyntax && strings.Count(out.Pointer, "/") >= LibraryDepth:
		out.Reason = TooDeep
	}
	return out
}

// LibraryDepth is the maximum nesting that the JSON library accepts.
const LibraryDepth = 10_000

// Member is a member of an object with arbitrary names.
type Member struct {
	// Name is unescaped.
	Name []byte
	// Value has no white space around it.
	Value jsontext.Value
}

// AppendMembers appends the members of the JSON object in data, in their order. data must be valid
// UTF-8. The members are slices of data, except for names with escapes. A name may occur twice.
func AppendMembers(dst []Member, data []byte) ([]Member, *SyntaxFault) {
	d := NewDecoder(data)
	if out := d.members(dst); d.Done() {
		return out, nil
	}
	if fault := CheckObject(data); fault != nil {
		return dst, fault
	}
	d = NewLenientDecoder(data)
	return d.members(dst), nil
}

func (d *Decoder) members(dst []Member) []Member {
	for name := d.BeginObject(); name != nil; name = d.NextMember() {
		if !d.lenient && !isPlainName(name) {
			d.Fail()
		}
		dst = append(dst, Member{name, d.value()})
	}
	return dst
}
