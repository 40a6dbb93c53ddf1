package errorbody

import (
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// HTTPStatusOf returns the HTTP status that Google's services use for a canonical status, or 0 for
// an unknown one.
func HTTPStatusOf(status geminiapi.ErrorStatus) int { return httpStatuses[status] }

// httpStatuses has every error code; the source is google/rpc/code.proto.
var httpStatuses = map[geminiapi.ErrorStatus]int{
	geminiapi.ErrorStatusCancelled:          499,
	geminiapi.ErrorStatusUnknown:            http.StatusInternalServerError,
	geminiapi.ErrorStatusInvalidArgument:    http.StatusBadRequest,
	geminiapi.ErrorStatusDeadlineExceeded:   http.StatusGatewayTimeout,
	geminiapi.ErrorStatusNotFound:           http.StatusNotFound,
	geminiapi.ErrorStatusAlreadyExists:      http.StatusConflict,
	geminiapi.ErrorStatusPermissionDenied:   http.StatusForbidden,
	geminiapi.ErrorStatusResourceExhausted:  http.StatusTooManyRequests,
	geminiapi.ErrorStatusFailedPrecondition: http.StatusBadRequest,
	geminiapi.ErrorStatusAborted:            http.StatusConflict,
	geminiapi.ErrorStatusOutOfRange:         http.StatusBadRequest,
	geminiapi.ErrorStatusUnimplemented:      http.StatusNotImplemented,
	geminiapi.ErrorStatusInternal:           http.StatusInternalServerError,
	geminiapi.ErrorStatusUnavailable:        http.StatusServiceUnavailable,
	geminiapi.ErrorStatusDataLoss:           http.StatusInternalServerError,
	geminiapi.ErrorStatusUnauthenticated:    http.StatusUnauthorized,
}

// statusOfCode returns the status for a number of google.rpc.Code, or "".
func statusOfCode(code int) geminiapi.ErrorStatus {
	var status geminiapi.ErrorStatus
	_ = status.UnmarshalJSON(strconv.AppendInt(nil, int64(code), 10)) // any number is valid
	if !status.Valid() {
		return ""
	}
	return status
}
