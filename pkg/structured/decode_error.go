package structured

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// newDecodeError describes an error of the JSON library about a complete value. The offset of its
// Position counts within the value.
func newDecodeError(err error, value string) *DecodeError {
	e := &DecodeError{Want: "another value", Value: "this one", Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		e.Pointer, e.Offset = string(semantic.JSONPointer), valueStart(value, semantic.ByteOffset)
		e.Want, e.Value = wantOf(semantic), found(value[e.Offset:])
		if errors.Is(err, json.ErrUnknownName) {
			e.Want, e.Value = "a member that the Go type knows", "the member "+e.Value
		}
		return e
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return e // of a method of the Go type
	}
	e.Pointer, e.Offset = string(syntactic.JSONPointer), valueStart(value, syntactic.ByteOffset)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.Want, e.Value = "each member once", "another "+found(value[e.Offset:])
	case strings.Count(e.Pointer, "/") >= plainjson.LibraryDepth:
		e.Want, e.Value = fmt.Sprintf("at most %d levels", plainjson.LibraryDepth),
			found(value[e.Offset:])
	default:
		e.Offset = int(syntactic.ByteOffset)
		e.Want, e.Value = "valid UTF-8", foundCharacter(value[e.Offset:])
	}
	return e
}

// foundCharacter describes an escape or byte that is not a valid character.
func foundCharacter(text string) string {
	const escape = len(`\u0000`)
	if strings.HasPrefix(text, `\`) {
		return text[:min(escape, len(text))]
	}
	return strconv.Quote(text[:min(1, len(text))])
}

// valueStart returns the start of the value that follows an offset in a JSON text.
func valueStart(value string, from int64) int {
	rest := strings.TrimLeft(value[min(int(from), len(value)):], whiteSpace+":,")
	return len(value) - len(rest)
}

// found describes the beginning of a text: an object or a list by its kind, a scalar by its text,
// cut short if it is long.
func found(text string) string {
	switch {
	case text == "":
		return "nothing"
	case text[0] == '{' || text[0] == '}':
		return "an object"
	case text[0] == '[' || text[0] == ']':
		return "a list"
	}
	end := strings.IndexAny(text, whiteSpace+",:]}")
	if text[0] == '"' {
		end = stringEnd(text)
	}
	if end < 0 {
		end = len(text)
	}
	return shortenValue(text[:end])
}

// stringEnd returns the end of the JSON string at the beginning of a text, -1 if the string has no
// end.
func stringEnd(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return -1
}

// shortenValue shortens a value of the text that is too long for a message.
func shortenValue(value string) string {
	const limit = 40
	characters := 0
	for at := range value {
		if characters == limit {
			value = value[:at] + "..."
			break
		}
		characters++
	}
	return strings.ToValidUTF8(value, "\uFFFD")
}

// wantOf describes the values that a Go type accepts.
func wantOf(e *json.SemanticError) string {
	switch t := e.GoType; {
	case t == nil:
		return "another value"
	case e.JSONKind == jsontext.KindInvalid:
		return "a Go type other than " + typeName(t)
	case t == reflect.TypeFor[time.Time]():
		return "a time such as 2026-01-31T12:00:00Z"
	case t == reflect.TypeFor[[]byte]():
		return "a string in base64"
	case t.Kind() == reflect.Array:
		return "a list of " + strconv.Itoa(t.Len())
	case errors.Is(e.Err, strconv.ErrRange):
		return wantByKind[t.Kind()] + " within the range of " + t.Kind().String()
	case e.Err == nil || errors.Is(e.Err, strconv.ErrSyntax):
		return cmp.Or(wantByKind[t.Kind()], "another value")
	default:
		return "a value of the Go type " + typeName(t)
	}
}

// wantByKind describes the JSON values that each kind of Go type accepts.
var wantByKind = map[reflect.Kind]string{
	reflect.Bool:    "true or false",
	reflect.Int:     "a whole number",
	reflect.Int8:    "a whole number",
	reflect.Int16:   "a whole number",
	reflect.Int32:   "a whole number",
	reflect.Int64:   "a whole number",
	reflect.Uint:    "a whole number that is not negative",
	reflect.Uint8:   "a whole number that is not negative",
	reflect.Uint16:  "a whole number that is not negative",
	reflect.Uint32:  "a whole number that is not negative",
	reflect.Uint64:  "a whole number that is not negative",
	reflect.Float32: "a number",
	reflect.Float64: "a number",
	reflect.String:  "a string",
	reflect.Slice:   "a list",
	reflect.Map:     "an object",
	reflect.Struct:  "an object",
}

// typeName names a Go type. It shortens unnamed types, which may take a page to write.
func typeName(t reflect.Type) string {
	if t.Name() == "" {
		return t.Kind().String()
	}
	return t.String()
}
