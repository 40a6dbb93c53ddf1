package openapi

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a document; an [*Error] wraps one of these or an error of the file system.
var (
	// ErrSyntax means that the bytes are not one YAML or JSON value.
	ErrSyntax = errors.New("syntax error")
	// ErrNotOpenAPI means that the value is not an OpenAPI 3 document.
	ErrNotOpenAPI = errors.New("not an OpenAPI 3 document")
	// ErrReference means that a $ref leads out of the document, nowhere or in a circle.
	ErrReference = errors.New("unusable reference")
	// ErrStructure means that a member that was needed has the wrong kind of value.
	ErrStructure = errors.New("unexpected structure")
)

// Error says where a document is broken.
type Error struct {
	// File is the document's name.
	File string
	// Line counts from 1; 0 when it is not known.
	Line int
	// Pointer is the JSON pointer of the broken value, "" for the whole document or when the syntax
	// is broken.
	Pointer string
	// Err is what is wrong there.
	Err error
}

// Error writes file, line, pointer and what is wrong, as far as they are known.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	if e.Pointer != "" {
		fmt.Fprintf(&b, ": %s", e.Pointer)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	return b.String()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }
