package responses

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// FromError converts a failure into OpenAI's terms: the HTTP status and the body of the answer that a client of OpenAI
// understands. It knows the errors of the packages gemini and normalize, deadlines and network failures, by
// [normalize.FromError]; that also has the time after which to try again, for the header Retry-After.
//
// The status is that of Google's answer where there was one. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *openaiapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	kind := kindOf(e)
	status := e.HTTPStatus
	if status < http.StatusBadRequest || e.Category == normalize.CategoryAuth && status == http.StatusBadRequest {
		status = kind.status // Google answers 400 to a key that is not valid
	}
	return status, &openaiapi.ErrorResponse{Error: openaiapi.Error{
		Message: messageOf(e), Type: kind.typ, Code: jsonx.NonEmpty(kind.code),
	}}
}

// failureOf returns what a response says that a stream failed with. An error that tells its own code, by a method
// ErrorCode, and is worded for clients, is taken as it is.
func failureOf(err error) *openaiapi.ResponseError {
	if told, ok := errors.AsType[codedError](err); ok {
		return &openaiapi.ResponseError{
			Type: typeOf(told), Code: openaiapi.ResponseErrorCode(cmp.Or(told.ErrorCode(), "server_error")), Message: told.Error(),
		}
	}
	e := normalize.FromError(err)
	kind := kindOf(e)
	return &openaiapi.ResponseError{
		Type: kind.typ, Code: openaiapi.ResponseErrorCode(cmp.Or(kind.streamCode, kind.code, "server_error")), Message: messageOf(e),
	}
}

// typeOf returns the type of an error that tells its code: what its method ErrorType says, if it has one.
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

// errorKind is how OpenAI reports failures of one category.
type errorKind struct {
	status     int // where Google's answer has none
	typ, code  string
	streamCode string // of a failed response, where it is another
}

// errorKinds are by category. Codex tells the codes of failed responses apart: some end the work, some shorten the
// conversation, all others are tried again.
var errorKinds = map[normalize.Category]errorKind{
	normalize.CategoryAuth:          {http.StatusUnauthorized, "invalid_request_error", "invalid_api_key", ""},
	normalize.CategoryRateLimit:     {http.StatusTooManyRequests, "rate_limit_error", "rate_limit_exceeded", ""},
	normalize.CategoryInvalidArg:    {http.StatusBadRequest, "invalid_request_error", "", "invalid_prompt"},
	normalize.CategoryNotFound:      {http.StatusNotFound, "invalid_request_error", "model_not_found", ""},
	normalize.CategoryServer:        {http.StatusBadGateway, "server_error", "server_error", ""},
	normalize.CategoryTimeout:       {http.StatusGatewayTimeout, "server_error", "timeout", "server_error"},
	normalize.CategoryContentFilter: {http.StatusBadRequest, "invalid_request_error", "invalid_prompt", ""},
	normalize.CategoryNetwork:       {http.StatusBadGateway, "server_error", "upstream_unreachable", "server_error"},
	normalize.CategoryUnknown:       {http.StatusInternalServerError, "server_error", "", "server_error"},
}

// Failures that clients tell from others of their category.
var (
	forbidden  = errorKind{http.StatusForbidden, "invalid_request_error", "permission_denied", ""}
	tooLong    = errorKind{http.StatusBadRequest, "invalid_request_error", "context_length_exceeded", ""}
	overloaded = errorKind{http.StatusServiceUnavailable, "server_error", "server_is_overloaded", ""}
)

func kindOf(e *normalize.Error) errorKind {
	switch {
	case e.Category == normalize.CategoryAuth && e.HTTPStatus == http.StatusForbidden:
		return forbidden
	case e.Category == normalize.CategoryInvalidArg && strings.Contains(e.Message, "exceeds the maximum number of tokens"):
		return tooLong
	case e.Category == normalize.CategoryServer && e.ProviderCode == "UNAVAILABLE":
		return overloaded
	}
	if kind, ok := errorKinds[e.Category]; ok {
		return kind
	}
	return errorKinds[normalize.CategoryUnknown]
}

// messageOf prefers Google's own words, without the status in front. Behind them it says when to try again, in the words
// that Codex looks for.
func messageOf(e *normalize.Error) string {
	text := cmp.Or(e.Message, "the request failed")
	if cause, ok := errors.AsType[*gemini.Error](e.Err); ok && cause.Message != "" {
		text = cause.Message
	}
	if e.RetryAfter > 0 && !strings.Contains(text, "try again in") {
		text = fmt.Sprintf("%s Please try again in %gs.", text, e.RetryAfter.Seconds())
	}
	return text
}
