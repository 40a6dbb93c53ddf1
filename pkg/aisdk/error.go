package aisdk

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
)

// PartError reports why a part cannot be encoded or decoded, and where. It quotes nothing of the
// payload, except the names of members in the pointer.
type PartError struct {
	// Type is the type of the part, or "" if it is unknown.
	Type aisdkapi.PartType
	// Offset is the number of input bytes before the part. For input that is not JSON, it is the
	// number of bytes before the error.
	Offset int64
	// Pointer is the JSON pointer (RFC 6901) of the invalid value; "" is the whole part.
	Pointer string
	// Problem describes the error, for example "a string was expected".
	Problem string
	// Err is the cause, an error of the JSON library, or nil if the syntax is valid. Its own text
	// may quote a character of the payload.
	Err error
}

// Error returns one line such as "aisdk: text-delta at byte 93: /delta: a string was expected".
func (e *PartError) Error() string {
	text := "aisdk: " + string(cmp.Or(e.Type, "part"))
	if e.Offset > 0 {
		text += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Pointer != "" {
		text += ": " + jsonx.ShortenPointer(e.Pointer)
	}
	return text + ": " + e.Problem
}

// Unwrap returns Err.
func (e *PartError) Unwrap() error { return e.Err }

// Location returns the pointer into the part, and the offset in the input.
func (e *PartError) Location() (pointer string, offset int64) { return e.Pointer, e.Offset }

// Reason returns Problem.
func (e *PartError) Reason() string { return e.Problem }

// newPartError returns the error for invalid data.
func newPartError(kind aisdkapi.PartType, fault plainjson.Fault, data []byte) *PartError {
	out := &PartError{Type: kind, Pointer: string(fault.Pointer(data)), Problem: fault.Reason}
	switch {
	case fault.Reason == plainjson.ValueUnknown && kind == "":
		out.Problem = "not a known type of part"
	case problems[fault.Reason] != "":
		out.Problem = problems[fault.Reason]
	}
	return out
}

// problems replaces texts of the decoder with texts about parts.
var problems = map[string]string{
	plainjson.ValueUnknown:     "not a value that the SDK knows",
	plainjson.MemberUnexpected: "not a member of this part, or a duplicate",
	plainjson.VersionTooOld:    "only version 4 of the specification has this",
}

// newSyntaxError returns the error for input that is not a JSON object.
func newSyntaxError(fault *plainjson.SyntaxFault) *PartError {
	return &PartError{Pointer: fault.Pointer, Offset: fault.Offset, Problem: fault.Reason,
		Err: fault.Err}
}

// checkKind returns an error for content of a kind that does not name its provider.
func checkKind(p aisdkapi.Part) error {
	if custom, ok := p.(aisdkapi.Custom); ok && !strings.Contains(custom.Kind, ".") {
		return &PartError{Type: aisdkapi.PartTypeCustom, Pointer: "/kind",
			Problem: `"provider.kind" was expected`}
	}
	return nil
}
