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

// FromError converts an error to OpenAI's terms: the HTTP status and the body that a client of
// OpenAI understands. It knows the errors of the packages gemini and normalize, deadlines and
// network failures, through [normalize.FromError]. That function also returns the retry delay for
// the header Retry-After.
//
// The status is the status of Google's response if there was one. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *openaiapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	return openaianswer.FromError(e, kindOf(e), messageOf(e))
}

// failureOf returns the error of a response whose stream failed. An error with a method ErrorCode
// is worded for clients and is used unchanged.
func failureOf(err error) *openaiapi.ResponseError {
	if coded, ok := errors.AsType[codedError](err); ok {
		return &openaiapi.ResponseError{
			Type:    typeOf(coded),
			Code:    openaiapi.ResponseErrorCode(cmp.Or(coded.ErrorCode(), "server_error")),
			Message: coded.Error(),
		}
	}
	e := normalize.FromError(err)
	kind := kindOf(e)
	code := kind.Code
	if known, ok := failureCodes[e.Category]; ok && kind != tooLong {
		code = known
	}
	if kind == overloaded {
		code = codeRetried
	}
	return &openaiapi.ResponseError{
		Type: kind.Type, Code: openaiapi.ResponseErrorCode(cmp.Or(code, "server_error")),
		Message: messageOf(e),
	}
}

// typeOf returns the type of an error that has its own code: the result of its method ErrorType, if
// it has one.
func typeOf(err codedError) string {
	if coded, ok := err.(interface{ ErrorType() string }); ok && coded.ErrorType() != "" {
		return coded.ErrorType()
	}
	return "server_error"
}

// codedError is an error that has its own OpenAI code.
type codedError interface {
	error
	ErrorCode() string
}

// failureCodes maps categories to the codes of failed responses, if these differ from HTTP errors.
// Codex distinguishes the codes: some end the work, some shorten the conversation, and after all
// others it retries. See also [codeRetried]. It is never modified.
var failureCodes = map[normalize.Category]string{
	normalize.CategoryInvalidArg: "invalid_prompt",
	normalize.CategoryTimeout:    "server_error",
	normalize.CategoryNetwork:    "server_error",
}

// Clients of the Responses API distinguish these failures from others of the same category.
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

// messageOf returns the message of a failure, with the retry delay in the wording that Codex looks
// for.
func messageOf(e *normalize.Error) string {
	text := answer.ErrorMessage(e)
	if e.RetryAfter > 0 && !strings.Contains(text, "try again in") {
		text = fmt.Sprintf("%s Please try again in %gs.", text, e.RetryAfter.Seconds())
	}
	return text
}
