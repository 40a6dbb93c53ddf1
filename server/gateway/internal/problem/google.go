package problem

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json"
)

// googleStatuses are the canonical names of HTTP statuses. Google's clients make their errors from
// these names. Other statuses below 500 are faults of the client.
var googleStatuses = map[int]geminiapi.ErrorStatus{
	http.StatusBadRequest:         geminiapi.ErrorStatusInvalidArgument,
	http.StatusUnauthorized:       geminiapi.ErrorStatusUnauthenticated,
	http.StatusForbidden:          geminiapi.ErrorStatusPermissionDenied,
	http.StatusNotFound:           geminiapi.ErrorStatusNotFound,
	http.StatusRequestTimeout:     geminiapi.ErrorStatusDeadlineExceeded,
	http.StatusMisdirectedRequest: geminiapi.ErrorStatusPermissionDenied,
	http.StatusTooManyRequests:    geminiapi.ErrorStatusResourceExhausted,
	http.StatusServiceUnavailable: geminiapi.ErrorStatusUnavailable,
	http.StatusBadGateway:         geminiapi.ErrorStatusUnavailable,
	http.StatusGatewayTimeout:     geminiapi.ErrorStatusDeadlineExceeded,
}

// AppendGoogle appends the error envelope of a problem in Google's form.
func AppendGoogle(dst []byte, p *Problem, _ string) []byte {
	status, ok := googleStatuses[p.Status]
	switch {
	case ok:
	case p.Status < http.StatusInternalServerError:
		status = geminiapi.ErrorStatusInvalidArgument
	default:
		status = geminiapi.ErrorStatusInternal
	}
	dst = append(dst, `{"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(p.Status), 10)
	dst = append(dst, `,"message":`...)
	message, err := json.Marshal(strings.ToValidUTF8(p.Message, "\ufffd"))
	if err != nil { // of a text that is UTF-8
		message = []byte(`""`)
	}
	dst = append(append(dst, message...), `,"status":"`...)
	return append(append(dst, status...), `"}}`...)
}
