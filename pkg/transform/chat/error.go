package chat

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// FromError converts a failure into OpenAI's terms: the HTTP status and the body of the answer that a client
// of OpenAI understands. It knows the errors of the packages gemini and normalize, deadlines and
// network failures, by [normalize.FromError]; that also has the time after which to try again, for
// the header Retry-After.
//
// The status is that of Google's answer where there was one. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *openaiapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	kind, known := errorKinds[e.Category]
	switch {
	case !known:
		kind = errorKinds[normalize.CategoryUnknown]
	case e.Category == normalize.CategoryAuth && e.HTTPStatus == http.StatusForbidden:
		kind = forbidden
	}
	return statusOf(e, kind), &openaiapi.ErrorResponse{Error: openaiapi.Error{
		Message: messageOf(e),
		Type:    kind.typ,
		Code:    jsonx.NonEmpty(kind.code),
	}}
}

// errorKind is how OpenAI reports failures of one category.
type errorKind struct {
	status    int // where Google's answer has none
	typ, code string
}

var errorKinds = map[normalize.Category]errorKind{
	normalize.CategoryAuth:          {http.StatusUnauthorized, "invalid_request_error", "invalid_api_key"},
	normalize.CategoryRateLimit:     {http.StatusTooManyRequests, "rate_limit_error", "rate_limit_exceeded"},
	normalize.CategoryInvalidArg:    {http.StatusBadRequest, "invalid_request_error", ""},
	normalize.CategoryNotFound:      {http.StatusNotFound, "invalid_request_error", "model_not_found"},
	normalize.CategoryServer:        {http.StatusBadGateway, "server_error", "server_error"},
	normalize.CategoryTimeout:       {http.StatusGatewayTimeout, "server_error", "timeout"},
	normalize.CategoryContentFilter: {http.StatusBadRequest, "invalid_request_error", "content_filter"},
	normalize.CategoryNetwork:       {http.StatusBadGateway, "server_error", "upstream_unreachable"},
	normalize.CategoryUnknown:       {http.StatusInternalServerError, "server_error", ""},
}

// forbidden is a key that is valid and does not suffice.
var forbidden = errorKind{http.StatusForbidden, "invalid_request_error", "permission_denied"}

// statusOf corrects the one status that means something else to a client of OpenAI: Google answers 400
// to a key that is not valid, which is a fault of the request to OpenAI's clients.
func statusOf(e *normalize.Error, kind errorKind) int {
	status := e.HTTPStatus
	if status < http.StatusBadRequest || e.Category == normalize.CategoryAuth && status == http.StatusBadRequest {
		return kind.status
	}
	return status
}

// messageOf prefers Google's own words, without the status in front.
func messageOf(e *normalize.Error) string {
	if cause, ok := errors.AsType[*gemini.Error](e.Err); ok && cause.Message != "" {
		return cause.Message
	}
	return cmp.Or(e.Message, "the request failed")
}
