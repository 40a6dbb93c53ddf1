package anthropic

import (
	"cmp"
	"net/http"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is a failure that a server reports, instead of a message or at the end of a stream.
type Error struct {
	Response anthropicapi.ErrorResponse
}

// Error returns one line such as "anthropic: overloaded_error: try again later".
func (e *Error) Error() string {
	return "anthropic: " + cmp.Or(e.Response.Error.Type, "error") + ": " + e.Response.Error.Message
}

// ErrorBody returns the body of a failed call. requestID may be empty; it is also the value of the
// header request-id.
func ErrorBody(kind anthropicapi.ErrorType, message, requestID string) *anthropicapi.ErrorResponse {
	body := &anthropicapi.ErrorResponse{
		Type:  string(anthropicapi.EventTypeError),
		Error: anthropicapi.Error{Type: string(kind), Message: message},
	}
	if requestID != "" {
		body.RequestID = &requestID
	}
	return body
}

// DecodeErrorResponse decodes the body of a failed call, or the data of an event of type error. The
// error is a *[wire.MalformedError].
func DecodeErrorResponse(data []byte) (*anthropicapi.ErrorResponse, error) {
	return codec.Decode[anthropicapi.ErrorResponse](payloadError, data)
}

// EncodeErrorResponse encodes the body of a failed call. It replaces invalid UTF-8 in texts, so
// that every failure can be written. The only error is for unknown members and details that are not
// JSON. nil is an error without a text.
func EncodeErrorResponse(r *anthropicapi.ErrorResponse) ([]byte, error) {
	if r == nil {
		r = ErrorBody(anthropicapi.ErrorTypeAPIError, "", "")
	}
	// an overloaded server writes thousands of these per second
	if body, isPlain := r.AppendPlainJSON(nil); isPlain {
		return body, nil
	}
	return json.Marshal(r, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
}

// statuses has Anthropic's HTTP status for each type of error. It is never modified.
var statuses = map[anthropicapi.ErrorType]int{
	anthropicapi.ErrorTypeInvalidRequestError: http.StatusBadRequest,
	anthropicapi.ErrorTypeAuthenticationError: http.StatusUnauthorized,
	anthropicapi.ErrorTypeBillingError:        http.StatusPaymentRequired,
	anthropicapi.ErrorTypePermissionError:     http.StatusForbidden,
	anthropicapi.ErrorTypeNotFoundError:       http.StatusNotFound,
	anthropicapi.ErrorTypeConflictError:       http.StatusConflict,
	anthropicapi.ErrorTypeRequestTooLarge:     http.StatusRequestEntityTooLarge,
	anthropicapi.ErrorTypeRateLimitError:      http.StatusTooManyRequests,
	anthropicapi.ErrorTypeAPIError:            http.StatusInternalServerError,
	anthropicapi.ErrorTypeTimeoutError:        http.StatusGatewayTimeout,
	anthropicapi.ErrorTypeOverloadedError:     StatusOverloaded,
}

// StatusOverloaded is Anthropic's HTTP status for an overloaded server. net/http does not define
// it.
const StatusOverloaded = 529

// StatusOf returns Anthropic's HTTP status for a type of error, or 500 for an unknown type.
func StatusOf(kind anthropicapi.ErrorType) int {
	return cmp.Or(statuses[kind], http.StatusInternalServerError)
}

// ErrorTypeOf returns the type of error for the HTTP status of a reply. Anthropic does not send
// 503; it means that a server is overloaded. Any other unknown status means an invalid request
// below 500, and a server error from 500.
func ErrorTypeOf(status int) anthropicapi.ErrorType {
	for kind, s := range statuses {
		if s == status {
			return kind
		}
	}
	switch {
	case status == http.StatusServiceUnavailable:
		return anthropicapi.ErrorTypeOverloadedError
	case status == http.StatusRequestTimeout:
		return anthropicapi.ErrorTypeTimeoutError
	case status >= http.StatusInternalServerError:
		return anthropicapi.ErrorTypeAPIError
	default:
		return anthropicapi.ErrorTypeInvalidRequestError
	}
}
