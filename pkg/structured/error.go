package structured

import (
	"fmt"
	"io"
	"strings"
)

// NotFoundError says that a text holds no JSON, nor anything that looks like it.
type NotFoundError struct {
	// Length is the length of the text in bytes.
	Length int
}

// Error returns "structured: no JSON value in a text of 120 bytes", for example.
func (e *NotFoundError) Error() string {
	if e.Length == 0 {
		return "structured: the text is empty"
	}
	return fmt.Sprintf("structured: no JSON value in a text of %d bytes", e.Length)
}

// DecodeError says why the JSON in a text is not a value of the Go type, or why what looks like JSON
// is none, and where.
type DecodeError struct {
	// Position is where the fault is in the text.
	Position
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

// Error returns one line such as
// "structured: /items/0/count: line 3, column 20 (offset 57): expected a whole number, found "three"".
func (e *DecodeError) Error() string {
	text := "structured: "
	if e.Pointer != "" {
		text += shortenPointer(e.Pointer) + ": "
	}
	return text + fmt.Sprintf("%s: expected %s, found %s", e.Position, e.Want, e.Value) + tried(e.Tried)
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// InvalidError says which rules a value breaks that is JSON and fits the Go type.
type InvalidError struct {
	// Position is where the value begins in the text.
	Position
	// Violations are the broken rules, at least one.
	Violations []Violation
	// Tried counts the candidates that were tried. The error is about the one that came closest.
	Tried int
}

// Violation is one broken rule.
type Violation struct {
	// Position is where the value is that breaks the rule; for a member that is missing, the object
	// that lacks it.
	Position
	// Pointer is the JSON pointer (RFC 6901) of that value within the candidate; "" is the candidate.
	Pointer string
	// Value is what stands there, in the form of [DecodeError]; "" for a member that is missing.
	Value string
	// Rule is the name of the rule: a validate tag such as min, or what a check of [WithCheck] calls
	// it.
	Rule string
	// Want says in words what would be right, such as "must be at least 1".
	Want string
}

// String returns one line such as
// "/items/0/count: line 3, column 20 (offset 57): must be at least 1, found 0".
func (v Violation) String() string {
	text := v.Position.String() + ": " + v.Want
	if v.Pointer != "" {
		text = shortenPointer(v.Pointer) + ": " + text
	}
	if v.Value != "" {
		text += ", found " + v.Value
	}
	return text
}

// Error names the first violations, and counts the others.
func (e *InvalidError) Error() string {
	const limit = 10
	shown := make([]string, 0, limit+1)
	for i, v := range e.Violations {
		if i == limit {
			shown = append(shown, fmt.Sprintf("and %d more", len(e.Violations)-limit))
			break
		}
		shown = append(shown, v.String())
	}
	return "structured: invalid: " + strings.Join(shown, "; ") + tried(e.Tried)
}

// TruncatedError says that a value is cut off: the text, or the fence around the value, ends before it.
// What there is of it decodes into the Go type. [WithRepair] makes do with that.
type TruncatedError struct {
	// Position is where the text or the fence ends.
	Position
	// Start is where the value begins.
	Start Position
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
	text := "structured: "
	if e.Pointer != "" {
		text += shortenPointer(e.Pointer) + ": "
	}
	text += fmt.Sprintf("the value that begins at %s is cut off at %s", e.Start, e.Position) + tried(e.Tried)
	if e.Invalid != nil {
		text += "; " + strings.TrimPrefix(e.Invalid.Error(), "structured: ")
	}
	return text
}

// Unwrap returns [io.ErrUnexpectedEOF], and Invalid if there is one.
func (e *TruncatedError) Unwrap() []error {
	if e.Invalid == nil {
		return []error{io.ErrUnexpectedEOF}
	}
	return []error{io.ErrUnexpectedEOF, e.Invalid}
}

// tried tells that an error is about one of several candidates.
func tried(count int) string {
	if count <= 1 {
		return ""
	}
	return fmt.Sprintf(" (the closest of %d values)", count)
}

// shortenPointer cuts a pointer that a hostile text made long.
func shortenPointer(pointer string) string {
	const limit = 200
	if len(pointer) <= limit {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:limit], "") + "..."
}
