// Package document reads files that people write, in YAML or JSON. It refuses unknown names, and
// each error has a line number.
package document

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form describes the content of a kind of file.
type Form struct {
	// Unknown returns the text of the error for an unknown name at a pointer.
	Unknown func(pointer string) string
	// FreeForm are the names of members that hold any JSON. Elsewhere null is an error. YAML reads
	// a name without a value as null, and null would count as an absent member.
	FreeForm []string
}

// Read reads a file with one document into a value by its json tags. It returns the lines of the
// values.
//
// An error is an [*Error].
func Read(data []byte, into any, form Form) (Lines, error) {
	text, lines, err := toJSON(data, form.FreeForm)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, into, json.RejectUnknownMembers(true)); err != nil {
		return nil, lines.locate(err, form.Unknown)
	}
	return lines, nil
}

// Error is a fault in a file.
type Error struct {
	line    int
	pointer string
	reason  string
}

// Error returns the line, the location and the expected value.
func (e *Error) Error() string {
	if e.pointer == "" {
		return fmt.Sprintf("line %d: %s", e.line, e.reason)
	}
	return fmt.Sprintf("line %d: %s: %s", e.line, e.pointer, e.reason)
}

// Line returns the line, counted from 1.
func (e *Error) Line() int { return e.line }

// Location returns a JSON pointer. The offset is -1, because it is not known in YAML.
func (e *Error) Location() (pointer string, offset int64) { return e.pointer, -1 }

// Reason returns the reason of the error.
func (e *Error) Reason() string { return e.reason }

// Lines has the line of each value of a file by its JSON pointer.
type Lines map[string]int

// Error returns an error about the value at a location.
func (l Lines) Error(pointer, reason string) *Error {
	return &Error{line: l.of(pointer), pointer: pointer, reason: reason}
}

// of returns the line of a value, or of the nearest value around it.
func (l Lines) of(pointer string) int {
	for {
		if line, ok := l[pointer]; ok {
			return line
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return 1
		}
		pointer = pointer[:i]
	}
}

// locate describes a decoding error and its location.
func (l Lines) locate(err error, unknown func(pointer string) string) *Error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		reason := syntax.Err.Error()
		if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
			reason = "the name occurs twice"
		}
		return l.Error(string(syntax.JSONPointer), reason)
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	switch {
	case !ok:
		return l.Error("", err.Error())
	case errors.Is(err, json.ErrUnknownName):
		return l.Error(string(semantic.JSONPointer), unknown(string(semantic.JSONPointer)))
	case isText(semantic.GoType) && semantic.JSONKind != jsontext.KindString:
		return l.Error(string(semantic.JSONPointer),
			fmt.Sprintf("want a text such as \"10s\" or \"64MiB\", found a %s",
				kindName(semantic.JSONKind)))
	case semantic.Err != nil:
		return l.Error(string(semantic.JSONPointer), semantic.Err.Error())
	default:
		return l.Error(string(semantic.JSONPointer),
			fmt.Sprintf("a %s is not valid here", kindName(semantic.JSONKind)))
	}
}

// isText reports whether values of a type are written as texts, such as "10s".
func isText(t reflect.Type) bool {
	return t != nil && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case jsontext.KindNull:
		return "null"
	case jsontext.KindTrue, jsontext.KindFalse:
		return "truth value"
	case jsontext.KindNumber:
		return "number"
	case jsontext.KindString:
		return "text"
	case jsontext.KindBeginArray:
		return "list"
	default:
		return "object"
	}
}
