// Package complaint writes errors of the fake server itself, which the real server does not have.
package complaint

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/go-json-experiment/json"
)

// Write answers with FAILED_PRECONDITION, which clients do not retry, and a reason of the domain
// fakegemini.
func Write(w http.ResponseWriter, reason, message string) {
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
	_ = framing.WriteWhole(w, http.StatusBadRequest, envelope)
}
