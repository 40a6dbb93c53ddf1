package structured

import (
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
)

// NotFoundError reports that a text contains no JSON and nothing similar.
type NotFoundError struct {
	// Length is the length of the text in bytes.
	Length int
}

// Error returns "structured: no JSON value in a text of 120 bytes", for example.
func (e *NotFoundError) Error() string { return "structured: " + e.Reason() }

// Location returns "", the pointer of the whole text, and -1, because the error has no offset.
func (e *NotFoundError) Location() (pointer string, offset int64) { return "", -1 }

// Reason returns the text of [NotFoundError.Error] without the name of the package.
func (e *NotFoundError) Reason() string {
	if e.Length == 0 {
		return "the text is empty"
	}
	return fmt.Sprintf("no JSON value in a text of %d bytes", e.Length)
}

// DecodeError reports that the JSON in a text is not a value of the Go type, or that a text that
// looks like JSON is not. It says why and where.
type DecodeError struct {
	// Position is the position of the fault in the text.
	validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the wrong value within the candidate. For invalid
	// JSON it is the innermost value at the fault. "" is the candidate itself.
	Pointer string
	// Value is the found value: a scalar as in the text, cut short after 40 characters, or the kind
	// of the value, such as "an object".
	Value string
	// Want describes the expected value, such as "a whole number".
	Want string
	// Tried is the number of candidates that were tried. The error is about the one that came
	// closest.
	Tried int
	// Err is the cause: an error of the JSON library, or of a method of the Go type. It is nil for
	// invalid JSON. Its own text may quote more of the value.
	Err error
}

// Error returns one line such as "structured: /items/0/count: line 3, column 20 (offset 57):
// expected a whole number, found "three"".
func (e *DecodeError) Error() string {
	return "structured: " +
		validation.Violation{Pointer: e.Pointer, Position: e.Position, Want: e.Reason()}.Error()
}

// Location returns Pointer and the offset in the text.
func (e *DecodeError) Location() (pointer string,
	offset int64) {
	return e.Pointer, int64(e.Offset)
}

// Reason returns the text of [DecodeError.Error] without the location.
func (e *DecodeError) Reason() string {
	return "expected " + e.Want + ", found " + e.Value + tried(e.Tried)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// InvalidError reports that a value is JSON and fits the Go type, but breaks validation rules.
type InvalidError struct {
	// Position is the start of the value in the text.
	validation.Position
	// Violations are the broken rules, at least one.
	Violations []validation.Violation
	// Tried is the number of candidates that were tried. The error is about the one that came
	// closest.
	Tried int
}

// Error names the first violations and the number of the others.
func (e *InvalidError) Error() string { return e.listed().Error() + tried(e.Tried) }

// Unwrap returns the violations as a *[validation.Error], as the checks of other packages do.
func (e *InvalidError) Unwrap() error { return e.listed() }

func (e *InvalidError) listed() *validation.Error {
	return &validation.Error{Prefix: "structured: invalid", Violations: e.Violations}
}

// TruncatedError reports that the text ends before the value does. The existing part of the value
// decodes into the Go type. [WithRepair] accepts it.
type TruncatedError struct {
	// Position is the end of the text.
	validation.Position
	// Start is the start of the value.
	Start validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the innermost value that is cut off. "" is the
	// outermost.
	Pointer string
	// Missing is the shortest text that completes the value, as [WithRepair] would add it.
	Missing string
	// Tried is the number of candidates that were tried. The error is about the one that came
	// closest.
	Tried int
	// Invalid lists the rules that the value breaks after [WithRepair] closed it. It is nil if the
	// value breaks none, and without that option.
	Invalid *InvalidError
}

// Error returns one line such as "structured: /items/2: the value that begins at line 1, column 8
// (offset 7) is cut off at line 3, column 2 (offset 57)".
func (e *TruncatedError) Error() string {
	text := e.beginning() + " at " + e.Position.String() + tried(e.Tried)
	if e.Invalid != nil {
		text += "; " + strings.TrimPrefix(e.Invalid.Error(), "structured: ")
	}
	return "structured: " + validation.Violation{Pointer: e.Pointer, Want: text}.Error()
}

// Location returns Pointer and the offset in the text where the value is cut off.
func (e *TruncatedError) Location() (pointer string,
	offset int64) {
	return e.Pointer, int64(e.Offset)
}

// Reason returns the text of [TruncatedError.Error] without the location and without the broken
// rules, which have their own locations.
func (e *TruncatedError) Reason() string { return e.beginning() + tried(e.Tried) }

func (e *TruncatedError) beginning() string {
	return fmt.Sprintf("the value that begins at %s is cut off", e.Start)
}

// Unwrap returns [io.ErrUnexpectedEOF], and Invalid if there is one.
func (e *TruncatedError) Unwrap() []error {
	if e.Invalid == nil {
		return []error{io.ErrUnexpectedEOF}
	}
	return []error{io.ErrUnexpectedEOF, e.Invalid}
}

// tried adds to an error that it is about one of several candidates.
func tried(count int) string {
	if count <= 1 {
		return ""
	}
	return fmt.Sprintf(" (the closest of %d values)", count)
}
