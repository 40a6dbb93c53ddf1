package plainjson

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A SyntaxFault says why data is not one JSON object, without quoting any of it.
type SyntaxFault struct {
	// Pointer is the JSON pointer of the fault, "" for the whole.
	Pointer string
	// Offset counts the bytes before it.
	Offset int64
	// Reason is the fault in words.
	Reason string
	// Err is the cause, an error of the JSON library, or nil. Its own text may quote data.
	Err error
}

// CheckObject returns what keeps data from being one JSON object, nil if nothing does.
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

// NewSyntaxFault takes an error of the JSON library apart.
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

// LibraryDepth is how deeply the JSON library lets values nest.
const LibraryDepth = 10_000

// Member is a member of an object whose members are data.
type Member struct {
	// Name is unescaped.
	Name []byte
	// Value has no white space around it.
	Value jsontext.Value
}

// AppendMembers appends the members of the JSON object in data, which is valid UTF-8, in their
// order. They are slices of data, but for names with escapes. A name may be there twice.
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
