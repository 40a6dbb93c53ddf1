package normalize

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrInvalidJSON is wrapped by the errors for an answer that is not JSON: the errors of [Parse]
	// and [ParseStream], and an [*Error] that describes such an answer.
	ErrInvalidJSON = errors.New("normalize: Invalid JSON response")
	// ErrNotObject is wrapped by the errors for an answer that is JSON but not an object.
	ErrNotObject = errors.New("normalize: Root is not an object")
)

// rootError reports that a whole answer, or a chunk of a stream, is not a JSON object.
type rootError struct {
	kind  error // ErrInvalidJSON or ErrNotObject
	cause error
}

// Error returns a line such as "normalize: Invalid JSON response: offset 1: not JSON".
func (e *rootError) Error() string { return e.kind.Error() + ": " + located(e.cause) }

// Unwrap returns ErrInvalidJSON or ErrNotObject, and the cause.
func (e *rootError) Unwrap() []error { return []error{e.kind, e.cause} }

// located returns the location and reason of an error, without the names of packages and payloads.
func located(err error) string {
	fault, ok := errors.AsType[interface {
		error
		Location() (at string, offset int64)
		Reason() string
	}](err)
	if !ok {
		return err.Error()
	}
	at, offset := fault.Location()
	text := "offset " + strconv.FormatInt(offset, 10) + ": " + fault.Reason()
	if at != "" {
		text = jsonx.ShortenPointer(at) + ": " + text
	}
	return text
}

// rootErrorOf returns the error for an answer that could not be decoded because it is not a JSON
// object. It returns nil for other faults, such as a member of a wrong type.
func rootErrorOf(err error) *rootError {
	malformed, ok := errors.AsType[*wire.MalformedError](err)
	if !ok || malformed.Payload != geminiResponse.Name {
		return nil
	}
	switch semantic, isType := errors.AsType[*json.SemanticError](malformed.Err); {
	case !isType, semantic.JSONKind == jsontext.KindInvalid:
		return &rootError{kind: ErrInvalidJSON, cause: err}
	case malformed.Pointer == "":
		return &rootError{kind: ErrNotObject, cause: err}
	default:
		return nil
	}
}

// geminiResponse is the name of an answer in the errors of package gemini. It is read-only.
var geminiResponse = codec.Payload{Wire: "gemini", Name: "response"}

// syntaxError returns the syntax error of bytes that are not JSON, and nil for JSON. Decoding may
// have reported another fault first, for example that the bytes begin a list.
func syntaxError(data []byte) error {
	var value jsontext.Value
	if err := json.Unmarshal(data, &value); err != nil {
		return codec.NewMalformedError(geminiResponse, data, err)
	}
	return nil
}

// isPage reports whether a server sent text that is not JSON in place of an answer: with a success
// status, or as a stream.
func isPage(e *gemini.Error) bool {
	body := jsontext.Value(e.RawBody())
	isFailure := e.HTTPStatus >= http.StatusMultipleChoices
	return !isFailure && len(body) > 0 && !body.IsValid()
}

// describePage describes a page or text that a server sent in place of an answer. The message
// contains the title of a page, or the beginning of a text.
func (e *Error) describePage(page *gemini.Error) {
	e.Message, e.Err = messageOf(ErrInvalidJSON), fmt.Errorf("%w: %w", ErrInvalidJSON, e.Err)
	if page.Message != "" {
		e.Message += ": " + page.Message
	}
}
