package codec

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ReasonDepth says that a value nests deeper than [plainjson.LibraryDepth].
const ReasonDepth = "nested too deeply"

const (
	reasonEmpty      = "the input is empty"
	reasonTruncated  = "the input ends too early"
	reasonDuplicate  = "the member occurs twice"
	reasonUTF8       = "invalid UTF-8"
	reasonUnknown    = "the format has no such member"
	reasonName       = "a member name was expected"
	reasonTrailing   = "data after the end of the payload"
	reasonNotJSON    = "not JSON"
	reasonOutOfRange = "a number out of range"
	reasonFraction   = "a fraction"
)

// CheckRoot returns a *[wire.MalformedError] for a payload that is not an object. It returns nil if
// the decoder must decide. Without CheckRoot, the JSON library would accept null as an object.
func CheckRoot(payload Payload, data []byte) error {
	rest := bytes.TrimLeft(data, Space)
	out := &wire.MalformedError{Wire: payload.Wire, Payload: payload.Name,
		Offset: int64(len(data) - len(rest))}
	switch kind := jsontext.Value(rest).Kind(); {
	case len(rest) == 0:
		out.Message, out.Err = reasonEmpty, io.ErrUnexpectedEOF
	case kind == jsontext.KindBeginObject, kind == jsontext.KindInvalid:
		return nil // an invalid byte is for the decoder to report
	default:
		out.Message = wrongType(expectedByKind[reflect.Struct], rest)
		out.Err = &json.SemanticError{ByteOffset: out.Offset, JSONKind: kind}
	}
	return out
}

// NewByteError returns the error for a byte that cannot begin an object. The bytes after it are
// unknown, so an n is not yet a null.
func NewByteError(payload Payload, b byte) error {
	kind := jsontext.Value([]byte{b}).Kind()
	out := &wire.MalformedError{Wire: payload.Wire, Payload: payload.Name,
		Message: expectedByKind[reflect.Struct] + " was expected"}
	out.Err = &json.SemanticError{JSONKind: kind}
	switch kind {
	case jsontext.KindInvalid:
		out.Message = reasonNotJSON
	case jsontext.KindString, jsontext.KindNumber, jsontext.KindBeginArray:
		out.Message += ", found " + KindName(kind)
	}
	return out
}

// Space is the white space that JSON allows between tokens.
const Space = " \t\r\n"

// NewMalformedError returns the error for data that the JSON library refused with err.
func NewMalformedError(payload Payload, data []byte, err error) error {
	out := &wire.MalformedError{Wire: payload.Wire, Payload: payload.Name, Message: reasonNotJSON,
		Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer, out.Offset = string(semantic.JSONPointer), semantic.ByteOffset
		out.Message = notOfType(semantic, data)
	} else if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		out.Pointer, out.Offset = string(syntactic.JSONPointer), syntactic.ByteOffset
		out.Message = notJSON(syntactic, data)
	}
	return out
}

// notOfType describes a value whose type is wrong at its location.
func notOfType(err *json.SemanticError, data []byte) string {
	if errors.Is(err, json.ErrUnknownName) {
		return reasonUnknown
	}
	return wrongType(expected(err.GoType), data[min(err.ByteOffset, int64(len(data))):])
}

// notJSON describes a syntax error.
func notJSON(err *jsontext.SyntacticError, data []byte) string {
	before, after := data[:err.ByteOffset], data[err.ByteOffset:]
	switch reason := SyntaxReason(err); {
	case reason != reasonNotJSON:
		return reason
	case startsInvalidUTF8(after):
		return reasonUTF8
	case jsontext.Value(before).IsValid():
		return reasonTrailing
	default:
		return reasonNotJSON
	}
}

// SyntaxReason describes a syntax error from the error alone, without the data.
func SyntaxReason(err *jsontext.SyntacticError) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return reasonTruncated
	case errors.Is(err, jsontext.ErrDuplicateName):
		return reasonDuplicate
	case errors.Is(err, jsontext.ErrNonStringName):
		return reasonName
	case strings.Count(string(err.JSONPointer), "/") >= plainjson.LibraryDepth:
		return ReasonDepth
	default:
		return reasonNotJSON
	}
}

func startsInvalidUTF8(data []byte) bool {
	r, size := utf8.DecodeRune(data)
	return r == utf8.RuneError && size == 1
}

// wrongType describes the value at the start of data, which has another type than expected.
func wrongType(want string, data []byte) string {
	kind := jsontext.Value(data).Kind()
	switch found := KindName(kind); {
	case found == "":
		return want + " was expected"
	case brokenWord(data) != "":
		return brokenWord(data)
	case kind == jsontext.KindNumber && want == aWholeNumber:
		return want + " was expected, found " + wrongNumber(data)
	case kind == jsontext.KindNumber && want == aNumber:
		return want + " was expected, found " + reasonOutOfRange
	default:
		return want + " was expected, found " + found
	}
}

// brokenWord describes an error in a word at the start of data that begins like a number, null,
// true or false. It returns "" for all other data.
func brokenWord(data []byte) string {
	isEnd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-.", r)
	}
	word := data
	if end := bytes.IndexFunc(data, isEnd); end >= 0 {
		word = data[:end]
	}
	if len(word) == 0 || jsontext.Value(word).IsValid() {
		return ""
	}
	_, err := jsontext.NewDecoder(bytes.NewReader(word)).ReadToken()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok && len(word) == len(data) {
		return SyntaxReason(syntactic)
	}
	return reasonNotJSON
}

// wrongNumber describes a number that is not a whole number of 64 bits.
func wrongNumber(data []byte) string {
	end := bytes.IndexFunc(data,
		func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) })
	if end < 0 {
		end = len(data)
	}
	number, err := strconv.ParseFloat(string(data[:end]), 64)
	if err == nil && number != float64(int64(number)) && -1<<63 < number && number < 1<<63 {
		return reasonFraction
	}
	return reasonOutOfRange
}

// KindName returns the name of a kind of values for errors, such as "an object". It returns "" for
// an invalid kind.
func KindName(kind jsontext.Kind) string { return kindNames[kind] }

var kindNames = map[jsontext.Kind]string{
	jsontext.KindNull:        "null",
	jsontext.KindFalse:       "a boolean",
	jsontext.KindTrue:        "a boolean",
	jsontext.KindString:      "a string",
	jsontext.KindNumber:      "a number",
	jsontext.KindBeginObject: "an object",
	jsontext.KindBeginArray:  "a list",
}

const (
	aWholeNumber = "a whole number"
	aNumber      = "a number"
)

// expected names the JSON type of a field of type t.
func expected(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	if t.Kind() == reflect.Pointer { // functions that read other forms are known by pointers
		t = t.Elem()
	}
	if name, ok := expectedByName[t.String()]; ok {
		return name
	}
	if name, ok := expectedByKind[t.Kind()]; ok {
		return name
	}
	return "another value"
}

var expectedByName = map[string]string{
	"string":         "a string",
	"wiretype.Int64": aWholeNumber,
}

var expectedByKind = map[reflect.Kind]string{
	reflect.Struct:  "an object",
	reflect.Map:     "an object",
	reflect.Slice:   "a list",
	reflect.String:  "an enum name",
	reflect.Int:     aWholeNumber,
	reflect.Int64:   aWholeNumber,
	reflect.Float64: aNumber,
	reflect.Bool:    "a boolean",
}
