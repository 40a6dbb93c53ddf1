package responses

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// FromError converts a failure into OpenAI's terms: the HTTP status and the body of the answer that
// a client of OpenAI understands. It knows the errors of the packages gemini and normalize,
// deadlines and network failures, by [normalize.FromError]; that also has the time after which to
// try again, for the header Retry-After.
//
// The status is that of Google's answer where there was one. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *openaiapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	return openaianswer.FromError(e, kindOf(e), messageOf(e))
}

// failureOf returns what a response says that a stream failed with. An error that tells its own
// code, by a method ErrorCode, and is worded for clients, is taken as it is.
func failureOf(err error) *openaiapi.ResponseError {
	if told, ok := errors.AsType[codedError](err); ok {
		return &openaiapi.ResponseError{
			Type:    typeOf(told),
			Code:    openaiapi.ResponseErrorCode(cmp.Or(told.ErrorCode(), "server_error")),
			Message: told.Error(),
		}
	}
	e := normalize.FromError(err)
	kind := kindOf(e)
	code := kind.Code
	if known, ok := failureCodes[e.Category]; ok && kind != tooLong {
		code = known
	}
	return &openaiapi.ResponseError{
		Type: kind.Type, Code: openaiapi.ResponseErrorCode(cmp.Or(code, "server_error")),
		Message: messageOf(e),
	}
}

// typeOf returns the type of an error that tells its code: what its method ErrorType says, if it
// has one.
func typeOf(err codedError) string {
	if told, ok := err.(interface{ ErrorType() string }); ok && told.ErrorType() != "" {
		return told.ErrorType()
	}
	return "server_error"
}

// codedError is an error that has OpenAI's code for itself.
type codedError interface {
	error
	ErrorCode() string
}

// failureCodes are the codes of failed responses by category, if they are not those of HTTP errors.
// Codex tells the codes apart: some end the work, some shorten the conversation, all others are
// tried again. It is never written to.
var failureCodes = map[normalize.Category]string{
	normalize.CategoryInvalidArg: "invalid_prompt",
	normalize.CategoryTimeout:    "server_error",
	normalize.CategoryNetwork:    "server_error",
}

// Failures that clients of the Responses API tell from others of their category.
var (
	filtered = openaianswer.ErrorKind{Status: http.StatusBadRequest,
		Type: "invalid_request_error", Code: "invalid_prompt"}
	tooLong = openaianswer.ErrorKind{Status: http.StatusBadRequest,
		Type: "invalid_request_error", Code: "context_length_exceeded"}
	overloaded = openaianswer.ErrorKind{Status: http.StatusServiceUnavailable, Type: "server_error",
		Code: codeOverloaded}
)

func kindOf(e *normalize.Error) openaianswer.ErrorKind {
	switch {
	case e.Category == normalize.CategoryContentFilter:
		return filtered
	case e.Category == normalize.CategoryInvalidArg &&
		strings.Contains(e.Message, "exceeds the maximum number of tokens"):
		return tooLong
	case e.Category == normalize.CategoryServer && e.ProviderCode == "UNAVAILABLE":
		return overloaded
	default:
		return openaianswer.KindOf(e)
	}
}

// messageOf returns the message of a failure, with the time after which to try again in the words
// that Codex looks for.
func messageOf(e *normalize.Error) string {
	text := answer.ErrorMessage(e)
	if e.RetryAfter > 0 && !strings.Contains(text, "try again in") {
		text = fmt.Sprintf("%s Please try again in %gs.", text, e.RetryAfter.Seconds())
	}
	return text
}
