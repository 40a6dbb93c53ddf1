package gemini

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// MalformedError says why bytes are not the payload that they were decoded as, and where. Its text
// never quotes the payload, except for the names of members in the pointer.
type MalformedError struct {
	// Payload is what was decoded: "response", "request", "countTokens request" and so on.
	Payload string
	// Pointer is the JSON pointer (RFC 6901) of the value at fault, or of the innermost value that
	// was being read when the bytes stopped being JSON. "" is the whole payload. Names are those of
	// the input, also when they were not in camelCase.
	Pointer string
	// Offset counts the bytes of the input before the fault.
	Offset int64
	// Reason is the fault in words, for example "a list was expected, found a string".
	Reason string
	// Err is the cause: an error of the JSON library, [io.ErrUnexpectedEOF] in its chain if the
	// input ends too early, [jsontext.ErrDuplicateName] if a member is there twice. Its own text may
	// quote a number or a short string of the payload.
	Err error
}

// Error returns one line such as
// "gemini: response: /candidates/0/content: offset 17: an object was expected, found a list".
// A pointer of more than 200 bytes is cut short; Pointer has all of it.
func (e *MalformedError) Error() string {
	text := "gemini: " + e.Payload + ": "
	if e.Pointer != "" {
		text += shorten(e.Pointer) + ": "
	}
	return text + "offset " + strconv.FormatInt(e.Offset, 10) + ": " + e.Reason
}

// Unwrap returns Err.
func (e *MalformedError) Unwrap() error { return e.Err }

// EncodeError says why a payload cannot be written as JSON.
type EncodeError struct {
	// Payload is what was encoded, by the names of [MalformedError].
	Payload string
	// Pointer is the JSON pointer of the value at fault; "" is the whole payload.
	Pointer string
	// Err is the cause.
	Err error
}

// Error returns one line such as
// "gemini: request: /contents/0/parts/0/functionCall/args: not JSON".
func (e *EncodeError) Error() string {
	text := "gemini: " + e.Payload + ": "
	if e.Pointer != "" {
		text += shorten(e.Pointer) + ": "
	}
	switch {
	case errors.Is(e.Err, errNothing):
		return text + errNothing.Error()
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return text + reasonDuplicate
	case strings.Count(e.Pointer, "/") >= maxDepth:
		return text + reasonDepth
	default:
		return text + reasonNotJSON
	}
}

// Unwrap returns Err.
func (e *EncodeError) Unwrap() error { return e.Err }

const (
	reasonEmpty      = "the input is empty"
	reasonTruncated  = "the input ends too early"
	reasonDuplicate  = "the member is there twice"
	reasonUTF8       = "invalid UTF-8"
	reasonDepth      = "nested too deeply"
	reasonName       = "a member name was expected"
	reasonTrailing   = "data after the end of the payload"
	reasonNotJSON    = "not JSON"
	reasonOutOfRange = "found a number out of range"
	reasonFraction   = "found a fraction"
)

// maxDepth is how deeply the JSON library lets values nest.
const maxDepth = 10_000

// checkRoot refuses a payload that is no object. The JSON library would take null for one.
func checkRoot(payload string, data []byte) error {
	rest := bytes.TrimLeft(data, jsonSpace)
	offset := int64(len(data) - len(rest))
	switch kind := jsontext.Value(rest).Kind(); {
	case len(rest) == 0:
		return &MalformedError{Payload: payload, Offset: offset, Reason: reasonEmpty, Err: io.ErrUnexpectedEOF}
	case kind == jsontext.KindBeginObject, kind == jsontext.KindInvalid:
		return nil // an invalid byte is for the decoder to report
	default:
		err := &json.SemanticError{ByteOffset: offset, JSONKind: kind}
		return &MalformedError{Payload: payload, Offset: offset, Reason: wrongType("an object", rest), Err: err}
	}
}

func newMalformedError(payload string, data []byte, err error) error {
	out := &MalformedError{Payload: payload, Reason: reasonNotJSON, Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer, out.Offset = string(semantic.JSONPointer), semantic.ByteOffset
		out.Reason = wrongType(expected(semantic.GoType), data[min(semantic.ByteOffset, int64(len(data))):])
	} else if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		out.Pointer, out.Offset = string(syntactic.JSONPointer), syntactic.ByteOffset
		out.Reason = notJSON(syntactic, data)
	}
	return out
}

func newEncodeError(payload string, err error) error {
	out := &EncodeError{Payload: payload, Err: err}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		out.Pointer = string(semantic.JSONPointer)
	}
	syntactic, ok := errors.AsType[*jsontext.SyntacticError](err)
	if ok && jsontext.Pointer(out.Pointer).Contains(syntactic.JSONPointer) { // more exact
		out.Pointer = string(syntactic.JSONPointer)
	}
	return out
}

// notJSON puts a fault of syntax into words.
func notJSON(err *jsontext.SyntacticError, data []byte) string {
	before, after := data[:err.ByteOffset], data[err.ByteOffset:]
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return reasonTruncated
	case errors.Is(err, jsontext.ErrDuplicateName):
		return reasonDuplicate
	case errors.Is(err, jsontext.ErrNonStringName):
		return reasonName
	case strings.Count(string(err.JSONPointer), "/") >= maxDepth:
		return reasonDepth
	case startsInvalidUTF8(after):
		return reasonUTF8
	case jsontext.Value(before).IsValid():
		return reasonTrailing
	default:
		return reasonNotJSON
	}
}

func startsInvalidUTF8(data []byte) bool {
	r, size := utf8.DecodeRune(data)
	return r == utf8.RuneError && size == 1
}

// wrongType puts into words that the value at the start of data is not what was expected there.
func wrongType(want string, data []byte) string {
	value := jsontext.Value(data)
	found, known := kindNames[value.Kind()]
	switch {
	case !known:
		return want + " was expected"
	case value.Kind() == jsontext.KindNumber && want == aWholeNumber:
		found = wrongNumber(data)
	case value.Kind() == jsontext.KindNumber && want == aNumber:
		found = reasonOutOfRange
	}
	return want + " was expected, " + found
}

// wrongNumber says what is wrong with a number that is no whole number of 64 bits.
func wrongNumber(data []byte) string {
	end := bytes.IndexFunc(data, func(r rune) bool { return !strings.ContainsRune("+-.0123456789eE", r) })
	if end < 0 {
		end = len(data)
	}
	number, err := strconv.ParseFloat(string(data[:end]), 64)
	if err == nil && number != float64(int64(number)) && -1<<63 < number && number < 1<<63 {
		return reasonFraction
	}
	return reasonOutOfRange
}

var kindNames = map[jsontext.Kind]string{
	jsontext.KindNull:        "found null",
	jsontext.KindFalse:       "found a boolean",
	jsontext.KindTrue:        "found a boolean",
	jsontext.KindString:      "found a string",
	jsontext.KindNumber:      "found a number",
	jsontext.KindBeginObject: "found an object",
	jsontext.KindBeginArray:  "found a list",
}

const (
	aWholeNumber = "a whole number"
	aNumber      = "a number"
)

// expected names the JSON that a field of type t takes.
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
	"string":      "a string",
	"union.Int64": aWholeNumber,
}

var expectedByKind = map[reflect.Kind]string{
	reflect.Struct:  "an object",
	reflect.Map:     "an object",
	reflect.Slice:   "a list",
	reflect.String:  "an enum name",
	reflect.Int:     aWholeNumber,
	reflect.Float64: aNumber,
	reflect.Bool:    "a boolean",
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// jsonSpace is the white space that JSON allows between tokens.
const jsonSpace = " \t\r\n"

// shorten cuts a pointer that a hostile payload made long.
func shorten(pointer string) string {
	const limit = 200
	if len(pointer) <= limit {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:limit], "") + "..."
}
