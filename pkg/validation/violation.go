package validation

import (
	"fmt"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// Violation is one broken rule. It never holds media, signatures, or a text at length.
type Violation struct {
	// Pointer is the location in the value's JSON form, a JSON pointer (RFC 6901); "" is the whole.
	// Where a member is missing it points at where that would be.
	Pointer string `json:"pointer"`
	// Position is where the value stands in the text that it was read from; for a member that is
	// missing, the object that lacks it. It is the zero Position where there was no text.
	Position Position `json:"position,omitzero"`
	// Severity is SeverityError, or SeverityWarning for what the description does not know.
	Severity Severity `json:"severity,omitzero"`
	// Rule is the name of the rule: a validate tag such as required, or a name that the check gave.
	Rule string `json:"rule"`
	// Value is what stands there: a number, a boolean or a short text as JSON, cut after 40
	// characters, or its kind, such as "an object". It is "" when there is none, or none that
	// should be shown.
	Value string `json:"value,omitzero"`
	// Want says in words what is wrong or would be right, for example "must be at least 0".
	Want string `json:"want"`
}

// Error returns the violation as one line such as "/usage/input_tokens: must be at least 0" or
// "/items/0/count: line 3, column 20 (offset 57): must be at least 1, found 0". A long pointer is
// cut in its middle.
func (v Violation) Error() string {
	text := v.Reason()
	if !v.Position.IsZero() {
		text = v.Position.String() + ": " + text
	}
	if v.Pointer != "" {
		text = jsonx.ShortenPointer(v.Pointer) + ": " + text
	}
	return text
}

// Location returns Pointer and the offset in the text, -1 where there was no text.
func (v Violation) Location() (pointer string, offset int64) {
	if v.Position.IsZero() {
		return v.Pointer, -1
	}
	return v.Pointer, int64(v.Position.Offset)
}

// Reason returns what [Violation.Error] says without the location: Want, and for a value that was
// read from a text what was found there.
func (v Violation) Reason() string {
	if v.Value == "" || v.Position.IsZero() {
		return v.Want
	}
	return v.Want + ", found " + v.Value
}

// Position is a place in a text. The zero Position is no place.
type Position struct {
	// Offset counts the bytes before the place.
	Offset int `json:"offset"`
	// Line counts the lines from 1.
	Line int `json:"line"`
	// Column counts the characters of the line from 1. A byte order mark at the beginning of the
	// text is none.
	Column int `json:"column"`
}

// IsZero reports whether the position is no place.
func (p Position) IsZero() bool { return p == Position{} }

// String returns the position as "line 3, column 5 (offset 57)".
func (p Position) String() string {
	return fmt.Sprintf("line %d, column %d (offset %d)", p.Line, p.Column, p.Offset)
}
