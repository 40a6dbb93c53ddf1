// Package document reads files that people write, in YAML or JSON. It refuses unknown names, and
// each error has a line number.
package document

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form describes the content of a kind of file.
type Form struct {
	// Unknown returns the text of the error for an unknown name at a pointer.
	Unknown func(pointer string) string
	// Want says what the value at a place has to be, such as `a size, for example 64MiB`. Without
	// it, and where it returns "", the type of the value says that.
	Want func(pointer string) string
	// FreeForm are the names of members that hold any JSON. Elsewhere null is an error. YAML reads
	// a name without a value as null, and null would count as an absent member.
	FreeForm []string
}

// Read reads a file with one document into a value by its json tags. It returns the lines of the
// values.
//
// An error is an [*Error].
func Read(data []byte, into any, form Form) (Lines, error) {
	text, lines, err := toJSON(data, &form)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, into, json.RejectUnknownMembers(true)); err != nil {
		return nil, lines.locate(err, &form)
	}
	return lines, nil
}

// want returns what the value at a place has to be, or "" if only its type says that.
func (f *Form) want(pointer string) string {
	if f.Want == nil {
		return ""
	}
	return f.Want(pointer)
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
func (l Lines) locate(err error, form *Form) *Error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		reason := syntax.Err.Error()
		if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
			reason = "the name occurs twice"
		}
		return l.Error(string(syntax.JSONPointer), reason)
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return l.Error("", err.Error())
	}
	pointer := string(semantic.JSONPointer)
	if errors.Is(err, json.ErrUnknownName) {
		return l.Error(pointer, form.Unknown(pointer))
	}
	isWrongKind := isText(semantic.GoType) && semantic.JSONKind != jsontext.KindString
	if semantic.Err != nil && !isWrongKind && !isOfNumber(semantic.Err) {
		return l.Error(pointer, semantic.Err.Error())
	}
	found := "a " + kindName(semantic.JSONKind)
	if semantic.Err != nil && isOfNumber(semantic.Err) && len(semantic.JSONValue) > 0 {
		found = string(semantic.JSONValue)
	}
	want := form.want(pointer)
	if want == "" {
		want = wantOf(semantic.GoType)
	}
	if want == "" {
		return l.Error(pointer, fmt.Sprintf("a %s is not valid here", kindName(semantic.JSONKind)))
	}
	return l.Error(pointer, "want "+want+"; found "+found)
}

// isOfNumber reports whether an error is about the digits of a number.
func isOfNumber(err error) bool {
	return errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange)
}

// wantOf returns what a value of a type has to be, or "" if the type does not say it.
func wantOf(t reflect.Type) string {
	if t == nil {
		return ""
	}
	if isText(t) {
		return "a text"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wantOf(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	default:
		return ""
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
		return "table"
	}
}
