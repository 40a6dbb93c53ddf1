package interactions

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is a failure that a server reports, instead of an interaction or in a stream.
type Error struct {
	Response interactionsapi.ErrorResponse
}

// Error returns one line such as "interactions: model_not_found: no such model".
func (e *Error) Error() string {
	return "interactions: " + cmp.Or(e.Code(), "error") + ": " +
		jsonx.Deref(e.Response.Error.Message)
}

// Code returns the code of the error. An error in the format of generateContent has a status such
// as INVALID_ARGUMENT instead. For it, Code returns the code that stands for the status.
func (e *Error) Code() string {
	if code, ok := e.Response.Error.Code.AsString(); ok {
		return code
	}
	if status := jsonx.Deref(e.Response.Error.Status); status != "" {
		return codeOfCanonical(status)
	}
	if status, ok := e.Response.Error.Code.AsValue(); ok {
		return CodeOf(status)
	}
	return ""
}

// ErrorBody returns the body of a failed call.
func ErrorBody(code, message string) *interactionsapi.ErrorResponse {
	return &interactionsapi.ErrorResponse{Error: interactionsapi.Error{

		Code: wiretype.StringOf[int](code), Message: &message}}
}

// DecodeErrorResponse decodes the body of a failed call. It also accepts an error in the format of
// generateContent, which Google's servers send for a wrong key, for example. The error is a
// *[wire.MalformedError].
func DecodeErrorResponse(data []byte) (*interactionsapi.ErrorResponse, error) {
	return codec.Decode[interactionsapi.ErrorResponse](payloadError, data)
}

// EncodeErrorResponse encodes the body of a failed call. It replaces invalid UTF-8 in texts, so
// that every failure can be written. The only error is for unknown members and details that are not
// JSON. nil is an error without a text.
func EncodeErrorResponse(r *interactionsapi.ErrorResponse) ([]byte, error) {
	if r == nil {
		r = ErrorBody(CodeInternal, "")
	}
	if body, isPlain := r.AppendPlainJSON(nil); isPlain {
		return body, nil
	}
	return json.Marshal(r, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
}

// Codes of errors that Google documents or was seen to send. The list is open.
const (
	CodeInvalidRequest     = "invalid_request"
	CodeParameterUnknown   = "parameter_unknown"
	CodeFailedPrecondition = "failed_precondition"
	CodeOutOfRange         = "out_of_range"
	CodeAuthentication     = "authentication"
	CodePaymentRequired    = "payment_required"
	CodePermissionDenied   = "permission_denied"
	CodeNotFound           = "not_found"
	CodeModelNotFound      = "model_not_found"
	CodeRateLimitExceeded  = "rate_limit_exceeded"
	CodeQuotaExceeded      = "quota_exceeded"
	CodeCancelled          = "cancelled"
	CodeNotImplemented     = "not_implemented"
	CodeGatewayTimeout     = "gateway_timeout"
	CodeUnavailable        = "unavailable"
	CodeInternal           = "internal"
	CodeContentBlocked     = "content_blocked"
)

// CanonicalUnknown is the name of an unknown error in the API of generateContent.
const CanonicalUnknown = "UNKNOWN"

// StatusCancelled is Google's HTTP status for a call that the client cancelled. net/http does not
// define it.
const StatusCancelled = 499

// errorCode has the HTTP status and the canonical name of an error, which generateContent uses.
type errorCode struct {
	code      string
	status    int
	canonical string
}

// errorCodes lists the codes. Of several codes with one status or name, the first is used. Google
// documents no code for 500 and 503; those here follow the names of the others. The list is never
// modified.
var errorCodes = []errorCode{
	{CodeInvalidRequest, http.StatusBadRequest, "INVALID_ARGUMENT"},
	{CodeParameterUnknown, http.StatusBadRequest, "INVALID_ARGUMENT"},
	{CodeFailedPrecondition, http.StatusBadRequest, "FAILED_PRECONDITION"},
	{CodeContentBlocked, http.StatusBadRequest, "INVALID_ARGUMENT"},
	{CodeAuthentication, http.StatusUnauthorized, "UNAUTHENTICATED"},
	{CodePaymentRequired, http.StatusPaymentRequired, "FAILED_PRECONDITION"},
	{CodePermissionDenied, http.StatusForbidden, "PERMISSION_DENIED"},
	{CodeNotFound, http.StatusNotFound, "NOT_FOUND"},
	{CodeModelNotFound, http.StatusNotFound, "NOT_FOUND"},
	{CodeOutOfRange, http.StatusRequestedRangeNotSatisfiable, "OUT_OF_RANGE"},
	{CodeRateLimitExceeded, http.StatusTooManyRequests, "RESOURCE_EXHAUSTED"},
	{CodeQuotaExceeded, http.StatusTooManyRequests, "RESOURCE_EXHAUSTED"},
	{CodeCancelled, StatusCancelled, "CANCELLED"},
	{CodeInternal, http.StatusInternalServerError, "INTERNAL"},
	{CodeNotImplemented, http.StatusNotImplemented, "UNIMPLEMENTED"},
	{CodeUnavailable, http.StatusServiceUnavailable, "UNAVAILABLE"},
	{CodeGatewayTimeout, http.StatusGatewayTimeout, "DEADLINE_EXCEEDED"},
}

// StatusOf returns the HTTP status of a code. It returns 500 for an unknown code.
func StatusOf(code string) int {
	for _, c := range errorCodes {
		if c.code == code {
			return c.status
		}
	}
	return http.StatusInternalServerError
}

// CanonicalOf returns the name of the error in the API of generateContent, such as
// INVALID_ARGUMENT. It returns UNKNOWN for an unknown code.
func CanonicalOf(code string) string {
	for _, c := range errorCodes {
		if c.code == code {
			return c.canonical
		}
	}
	return CanonicalUnknown
}

// CodeOf returns the code for an HTTP status. For an unknown status it returns invalid_request if
// the status is below 500, and internal otherwise.
func CodeOf(status int) string {
	for _, c := range errorCodes {
		if c.status == status {
			return c.code
		}
	}
	if status < http.StatusInternalServerError {
		return CodeInvalidRequest
	}
	return CodeInternal
}

// codeOfCanonical returns the code for a name of generateContent. An unknown name is returned in
// lower case.
func codeOfCanonical(name string) string {
	for _, c := range errorCodes {
		if c.canonical == name {
			return c.code
		}
	}
	return strings.ToLower(name)
}
