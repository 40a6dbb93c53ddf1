// Package message formats the command's messages: locations and reasons of errors, lists of words,
// and suggestions for mistyped words.
package message

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Finding is one fault of an input with its location.
type Finding struct {
	// Pointer is the location as a JSON pointer, or "" for the whole input.
	Pointer string
	// Offset is the number of bytes before the location, or -1 if it is not known.
	Offset int64
	// Reason describes the fault.
	Reason string
	// Severity is a warning for something that the API description does not know.
	Severity validation.Severity
	// Rule is the name of the violated rule, or "" if it has none.
	Rule string
	// Line and Column count from 1. They are 0 if they are not known.
	Line, Column int
}

// String returns the finding as one line, "/pointer: offset 17: reason". It omits what is not
// known, the pointer of the whole input, and the middle of a long pointer.
func (f Finding) String() string {
	var b strings.Builder
	if f.Pointer != "" {
		fmt.Fprintf(&b, "%s: ", Escape(jsonx.ShortenPointer(f.Pointer)))
	}
	if f.Offset >= 0 {
		fmt.Fprintf(&b, "offset %d: ", f.Offset)
	}
	if f.Severity == validation.SeverityWarning {
		b.WriteString("warning: ")
	}
	b.WriteString(Escape(strings.Join(strings.Fields(f.Reason), " ")))
	return b.String()
}

// Escape escapes control characters, so that text of a payload cannot end the line or control the
// terminal.
func Escape(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// locatedError is an error with a location and a reason that does not repeat the location. The
// reason contains the cause, so the cause is not a finding of its own. Other errors that it lists
// are.
type locatedError interface {
	Location() (pointer string, offset int64)
	Reason() string
}

// Findings returns the findings of an error, at least one. If no error of the chain has a location,
// the finding is about the whole input.
func Findings(err error) []Finding {
	if found := locate(err); len(found) > 0 {
		return found
	}
	return []Finding{{Offset: -1, Reason: errortext.WithoutPackage(err.Error())}}
}

// locate returns the findings of the located errors in a tree of errors.
func locate(err error) []Finding {
	var found []Finding
	if e, ok := err.(locatedError); ok {
		pointer, offset := e.Location()
		found = []Finding{{Pointer: pointer, Offset: offset, Reason: e.Reason()}}
		if v, ok := err.(validation.Violation); ok {
			found[0].Severity, found[0].Rule = v.Severity, v.Rule
			found[0].Line, found[0].Column = v.Position.Line, v.Position.Column
		}
	}
	switch e := err.(type) {
	case interface{ Findings() []Finding }: // with locations in the larger input
		return e.Findings()
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			found = append(found, locate(inner)...)
		}
	case interface{ Unwrap() error }:
		if found == nil {
			return locate(e.Unwrap())
		}
	}
	return found
}
