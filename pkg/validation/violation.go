package validation

import (
	"fmt"

	"github.com/gemwire/gemwire/internal/jsonx"
)

// Violation is one broken rule. It never contains media, signatures or long texts.
type Violation struct {
	// Pointer is the location in the value's JSON form, a JSON pointer (RFC 6901); "" is the whole
	// value. For a missing member it is the pointer that the member would have.
	Pointer string `json:"pointer"`
	// Position is the position of the value in the text that it was read from. For a missing member
	// it is the position of the enclosing object. It is zero if there was no text.
	Position Position `json:"position,omitzero"`
	// Severity is SeverityError, or SeverityWarning for values that the API description does not
	// know.
	Severity Severity `json:"severity,omitzero"`
	// Rule is the name of the rule: a validate tag such as required, or a name of the check.
	Rule string `json:"rule"`
	// Value is the found value: a number, a boolean or a short text as JSON, cut after 40
	// characters, or its kind, such as "an object". It is "" without a value, or if the value must
	// not be shown.
	Value string `json:"value,omitzero"`
	// Want says what is wrong or expected, for example "must be at least 0".
	Want string `json:"want"`
}

// Error returns the violation as one line such as "/usage/input_tokens: must be at least 0" or
// "/items/0/count: line 3, column 20 (offset 57): must be at least 1, found 0". A long pointer is
// shortened in its middle.
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

// Location returns Pointer and the offset in the text, -1 if there was no text.
func (v Violation) Location() (pointer string, offset int64) {
	if v.Position.IsZero() {
		return v.Pointer, -1
	}
	return v.Pointer, int64(v.Position.Offset)
}

// Reason returns the text of [Violation.Error] without the location: Want, and the found value if
// it was read from a text.
func (v Violation) Reason() string {
	if v.Value == "" || v.Position.IsZero() {
		return v.Want
	}
	return v.Want + ", found " + v.Value
}

// Position is a position in a text. The zero Position is no position.
type Position struct {
	// Offset is the number of bytes before the position.
	Offset int `json:"offset"`
	// Line is the number of the line, counted from 1.
	Line int `json:"line"`
	// Column is the number of the character in the line, counted from 1. A leading byte order mark
	// does not count.
	Column int `json:"column"`
}

// IsZero reports whether p is no position.
func (p Position) IsZero() bool { return p == Position{} }

// String returns the position as "line 3, column 5 (offset 57)".
func (p Position) String() string {
	return fmt.Sprintf("line %d, column %d (offset %d)", p.Line, p.Column, p.Offset)
}
