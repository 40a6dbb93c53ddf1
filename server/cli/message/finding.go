// Package message is how the command words what it says: places and reasons of errors, lists of
// words, and what a mistyped word may stand for.
package message

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// Finding is one thing that is wrong with an input, and where.
type Finding struct {
	// Pointer is the location as a JSON pointer, "" for the whole input.
	Pointer string
	// Offset counts the bytes before the location, -1 when it is not known.
	Offset int64
	// Reason is in words what is wrong.
	Reason string
	// Severity is a warning for what a description does not know.
	Severity validation.Severity
	// Rule is the name of the rule that is broken, "" if no rule has a name.
	Rule string
	// Line and Column count from 1; 0 when they are not known.
	Line, Column int
}

// String returns the finding as one line, "/pointer: offset 17: reason". What is not known is left
// out, and so is the pointer of the whole input. Of a long pointer the middle is left out.
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

// Escape escapes control characters, so that text from a payload cannot end the line or control the
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

// locatedError is an error with a location and a reason that does not repeat it. The reason has its
// cause in it, so the cause gives no finding; errors that it lists beside the cause do.
type locatedError interface {
	Location() (pointer string, offset int64)
	Reason() string
}

// Findings returns what an error says is wrong, at least one thing. An error that does not know a
// location, nor any error in its chain, is about the input as a whole.
func Findings(err error) []Finding {
	if found := locate(err); len(found) > 0 {
		return found
	}
	return []Finding{{Offset: -1, Reason: errortext.WithoutPackage(err.Error())}}
}

// locate returns the findings of the located errors in a tree of errors, none for nil.
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
	case interface{ Findings() []Finding }: // which puts those of its cause into a larger input
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
