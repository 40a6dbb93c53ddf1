package structured

import (
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/pkg/validation"
)

// NotFoundError reports that a text holds no JSON, nor anything that looks like it.
type NotFoundError struct {
	// Length is the length of the text in bytes.
	Length int
}

// Error returns "structured: no JSON value in a text of 120 bytes", for example.
func (e *NotFoundError) Error() string { return "structured: " + e.Reason() }

// Location returns the pointer of the whole, which is "", and -1 for the offset, as there is none.
func (e *NotFoundError) Location() (pointer string, offset int64) { return "", -1 }

// Reason returns what [NotFoundError.Error] says without the name of the package.
func (e *NotFoundError) Reason() string {
	if e.Length == 0 {
		return "the text is empty"
	}
	return fmt.Sprintf("no JSON value in a text of %d bytes", e.Length)
}

// DecodeError reports why the JSON in a text is not a value of the Go type, or why what looks like
// JSON is none, and where.
type DecodeError struct {
	// Position is where the fault is in the text.
	validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the value at fault within the candidate, or of the
	// innermost value that was being read when the text stopped being JSON. "" is the candidate.
	Pointer string
	// Value is what stands there: a scalar as in the text, cut short after 40 characters, or what
	// kind of value it is, such as "an object".
	Value string
	// Want is what would be right, such as "a whole number".
	Want string
	// Tried counts the candidates that were tried. The error is about the one that came closest.
	Tried int
	// Err is the cause: an error of the JSON library, or of a method of the Go type. It is nil for
	// a text that stops being JSON. Its own text may quote more of the value.
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

// Reason returns what [DecodeError.Error] says without the location.
func (e *DecodeError) Reason() string {
	return "expected " + e.Want + ", found " + e.Value + tried(e.Tried)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// InvalidError reports which rules a value breaks that is JSON and fits the Go type.
type InvalidError struct {
	// Position is where the value begins in the text.
	validation.Position
	// Violations are the broken rules, at least one.
	Violations []validation.Violation
	// Tried counts the candidates that were tried. The error is about the one that came closest.
	Tried int
}

// Error names the first violations, and counts the others.
func (e *InvalidError) Error() string { return e.listed().Error() + tried(e.Tried) }

// Unwrap returns the violations as the *[validation.Error] that the checks of other packages
// return.
func (e *InvalidError) Unwrap() error { return e.listed() }

func (e *InvalidError) listed() *validation.Error {
	return &validation.Error{Prefix: "structured: invalid", Violations: e.Violations}
}

// TruncatedError reports that a value is cut off: the text ends before it.
// What there is of it decodes into the Go type. [WithRepair] makes do with that.
type TruncatedError struct {
	// Position is where the text ends.
	validation.Position
	// Start is where the value begins.
	Start validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the innermost value that is cut off; "" is the
	// outermost.
	Pointer string
	// Missing is what would complete it at least, as [WithRepair] would add it.
	Missing string
	// Tried counts the candidates that were tried. The error is about the one that came closest.
	Tried int
	// Invalid is what [WithRepair] could not mend: the rules that the value breaks when it is
	// closed. It is nil when it breaks none, and without that option.
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

// Location returns Pointer and the offset in the text at which the value is cut off.
func (e *TruncatedError) Location() (pointer string,
	offset int64) {
	return e.Pointer, int64(e.Offset)
}

// Reason returns what [TruncatedError.Error] says without the location, and without the broken
// rules, which have places of their own.
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

// tried says that an error is about one of several candidates.
func tried(count int) string {
	if count <= 1 {
		return ""
	}
	return fmt.Sprintf(" (the closest of %d values)", count)
}
