package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gemwire/gemwire/internal/pointer"
)

// finding is one thing that is wrong with an input, and where.
type finding struct {
	// pointer is the location as a JSON pointer, "" for the whole input.
	pointer string
	// offset counts the bytes before the location, -1 when it is not known.
	offset int64
	reason string
}

// String returns the finding as one line, "/pointer: offset 17: reason". What is not known is left
// out, and so is the pointer of the whole input. Of a long pointer the middle is left out.
func (f finding) String() string {
	var b strings.Builder
	if f.pointer != "" {
		fmt.Fprintf(&b, "%s: ", escapeControls(pointer.Shorten(f.pointer)))
	}
	if f.offset >= 0 {
		fmt.Fprintf(&b, "offset %d: ", f.offset)
	}
	b.WriteString(escapeControls(strings.Join(strings.Fields(f.reason), " ")))
	return b.String()
}

// escapeControls escapes control characters, so that text from a payload cannot end the line or control the
// terminal.
func escapeControls(text string) string {
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

// locatedError is an error with a location and a reason that does not repeat it. The reason has its cause in
// it, so the cause gives no finding; errors that it lists beside the cause do.
type locatedError interface {
	Location() (pointer string, offset int64)
	Reason() string
}

// findings returns what an error says is wrong, at least one thing. An error that does not know a
// location, nor any error in its chain, is about the input as a whole.
func findings(err error) []finding {
	if found := locate(err); len(found) > 0 {
		return found
	}
	return []finding{{offset: -1, reason: withoutPackage(err.Error())}}
}

// withoutPackage takes off the names of packages that the text of an error begins with, which say nothing to users.
func withoutPackage(text string) string {
	for {
		name, rest, found := strings.Cut(text, ": ")
		if !found || !slices.Contains(packageNames, name) {
			return text
		}
		text = rest
	}
}

// packageNames are what errors begin with that come from packages of gemwire.
var packageNames = []string{"agent", "aisdk", "gemini", "geminitest", "normalize", "openai", "structured", "transform"}

// locate returns the findings of the located errors in a tree of errors, none for nil.
func locate(err error) []finding {
	var found []finding
	if e, ok := err.(locatedError); ok {
		pointer, offset := e.Location()
		found = []finding{{pointer, offset, e.Reason()}}
	}
	switch e := err.(type) {
	case *elementError:
		return e.locate()
	case *writtenError:
		return e.locate()
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

// elementError gives an error about one element of a stream, which counts from its beginning, a location
// in the whole input.
type elementError struct {
	pointer string // of the element, "" if err has one of the whole input
	offset  int64  // of the element, -1 if it is not known
	err     error
}

func (e *elementError) Error() string { return e.err.Error() }
func (e *elementError) Unwrap() error { return e.err }

func (e *elementError) locate() []finding {
	found := findings(e.err)
	for i := range found {
		found[i].pointer = e.pointer + found[i].pointer
		if e.offset >= 0 {
			found[i].offset = e.offset + max(found[i].offset, 0)
		}
	}
	return found
}

// position is the JSON pointer of the element of a stream with so many before it.
func position(before int) string { return fmt.Sprintf("/%d", before) }
