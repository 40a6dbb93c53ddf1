package openaianswer

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// ErrorKind is OpenAI's status, type and code for failures of one category.
type ErrorKind struct {
	Status     int // used if Google's answer has none
	Type, Code string
}

// errorKinds maps categories to kinds. It is never modified.
var errorKinds = map[normalize.Category]ErrorKind{
	normalize.CategoryAuth: {http.StatusUnauthorized, "invalid_request_error",
		"invalid_api_key"},
	normalize.CategoryRateLimit: {http.StatusTooManyRequests, "rate_limit_error",
		"rate_limit_exceeded"},
	normalize.CategoryInvalidArg: {http.StatusBadRequest, "invalid_request_error", ""},
	normalize.CategoryNotFound: {http.StatusNotFound, "invalid_request_error",
		"model_not_found"},
	normalize.CategoryServer:  {http.StatusBadGateway, "server_error", "server_error"},
	normalize.CategoryTimeout: {http.StatusGatewayTimeout, "server_error", "timeout"},
	normalize.CategoryContentFilter: {http.StatusBadRequest, "invalid_request_error",
		"content_filter"},
	normalize.CategoryNetwork: {http.StatusBadGateway, "server_error",
		"upstream_unreachable"},
	normalize.CategoryUnknown: {http.StatusInternalServerError, "server_error", ""},
}

// forbidden is for a valid key that lacks a permission.
var forbidden = ErrorKind{http.StatusForbidden, "invalid_request_error", "permission_denied"}

// KindOf returns OpenAI's status, type and code for a failure.
func KindOf(e *normalize.Error) ErrorKind {
	if e.Category == normalize.CategoryAuth && e.HTTPStatus == http.StatusForbidden {
		return forbidden
	}
	if kind, isKnown := errorKinds[e.Category]; isKnown {
		return kind
	}
	return errorKinds[normalize.CategoryUnknown]
}

// FromError returns the HTTP status and the body for a failure. The status is Google's, with one
// exception: Google answers 400 to an invalid key, which clients of OpenAI would read as a fault of
// the request.
func FromError(e *normalize.Error, kind ErrorKind, message string) (httpStatus int,
	body *openaiapi.ErrorResponse) {
	status := e.HTTPStatus
	if status < http.StatusBadRequest ||
		e.Category == normalize.CategoryAuth && status == http.StatusBadRequest {
		status = kind.Status
	}
	return status, &openaiapi.ErrorResponse{Error: openaiapi.Error{
		Message: message, Type: kind.Type, Code: jsonx.NonEmpty(kind.Code),
	}}
}
