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

// Error is a failure that a server reports, in place of a message or at the end of a stream.
type Error struct {
	Response anthropicapi.ErrorResponse
}

// Error returns one line such as "anthropic: overloaded_error: try again later".
func (e *Error) Error() string {
	return "anthropic: " + cmp.Or(e.Response.Error.Type, "error") + ": " + e.Response.Error.Message
}

// ErrorBody returns the body of a failed call. requestID, which is also the value of the header
// request-id, may be empty.
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

// EncodeErrorResponse encodes the body of a failed call. Bytes of its texts that are no UTF-8 are
// replaced, so that every failure can be written; only unknown members and details that are no JSON
// fail. nil is an error without a text.
func EncodeErrorResponse(r *anthropicapi.ErrorResponse) ([]byte, error) {
	if r == nil {
		r = ErrorBody(anthropicapi.ErrorTypeAPIError, "", "")
	}
	// who is overloaded says so to thousands in a second
	if body, isPlain := r.AppendPlainJSON(nil); isPlain {
		return body, nil
	}
	return json.Marshal(r, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
}

// statuses has the HTTP status with which Anthropic answers an error of each type. It is never
// written to.
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

// StatusOverloaded is the HTTP status of Anthropic's for a server that has too much to do, which
// net/http does not have.
const StatusOverloaded = 529

// StatusOf returns the HTTP status with which Anthropic answers an error of a type, 500 for a type
// that is not known.
func StatusOf(kind anthropicapi.ErrorType) int {
	return cmp.Or(statuses[kind], http.StatusInternalServerError)
}

// ErrorTypeOf returns the type of an error by the HTTP status that a server answered with. 503,
// which Anthropic does not send, is one of a server that has too much to do; any other below 500
// says that the request was wrong, and any other above that the server failed.
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
