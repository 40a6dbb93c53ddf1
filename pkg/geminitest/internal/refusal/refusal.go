// Package refusal has the errors that Google's servers answer with: their statuses, messages and details, as they
// were recorded or reported in public.
package refusal

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Refusal is an error that the server answers with.
type Refusal struct {
	// HTTPStatus is the status of the reply; 0 is the one that belongs to Status.
	HTTPStatus int
	Status     geminiapi.ErrorStatus
	Message    string
	// Details are written in this order.
	Details []geminiapi.ErrorDetail
}

// New returns a refusal without details, with the HTTP status that belongs to the canonical one.
func New(status geminiapi.ErrorStatus, message string) *Refusal {
	return &Refusal{HTTPStatus: gemini.HTTPStatusOf(status), Status: status, Message: message}
}

// Error returns status and message.
func (r *Refusal) Error() string {
	return strconv.Itoa(r.HTTPStatus) + " " + string(r.Status) + ": " + r.Message
}

// Envelope returns the body: an object with an error object in it.
func (r *Refusal) Envelope() (jsontext.Value, error) {
	code := r.HTTPStatus
	if code == 0 {
		code = gemini.HTTPStatusOf(r.Status)
	}
	return json.Marshal(&geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code: &code, Status: &r.Status, Message: &r.Message, Details: r.Details,
	}})
}
