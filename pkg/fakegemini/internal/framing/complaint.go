package framing

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json"
)

// WriteComplaint answers with an error of the fake server itself, which the real server does not
// have: FAILED_PRECONDITION, which clients do not retry, and a reason of the domain fakegemini.
func WriteComplaint(w http.ResponseWriter, reason, message string) {
	message = "fakegemini: " + message
	envelope, err := json.Marshal(geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code:    new(http.StatusBadRequest),
		Message: &message,
		Status:  new(geminiapi.ErrorStatusFailedPrecondition),
		Details: []geminiapi.ErrorDetail{{
			Type:   new("type.googleapis.com/google.rpc.ErrorInfo"),
			Reason: &reason,
			Domain: new("fakegemini"),
		}},
	}})
	if err != nil { // The message is not UTF-8.
		envelope = []byte(`{"error":{"code":400,"status":"FAILED_PRECONDITION"}}`)
	}
	// This fails if the client has disconnected.
	_ = WriteWhole(w, http.StatusBadRequest, envelope)
}
