// Package refusal defines the error replies of Google's servers: their statuses, messages and
// details, as recorded or reported in public. It words the findings of a request check in the same
// way.
package refusal

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Refusal is an error reply of the server.
type Refusal struct {
	// HTTPStatus is the status of the reply.
	HTTPStatus int
	Status     geminiapi.ErrorStatus
	Message    string
	// Details are written in this order.
	Details []geminiapi.ErrorDetail
}

// New returns a refusal without details, with the HTTP status of the canonical status.
func New(status geminiapi.ErrorStatus, message string) *Refusal {
	return &Refusal{HTTPStatus: gemini.HTTPStatusOf(status), Status: status, Message: message}
}

// Error returns the status and the message.
func (r *Refusal) Error() string {
	return strconv.Itoa(r.HTTPStatus) + " " + string(r.Status) + ": " + r.Message
}

// Code returns the number of the canonical status, which replaces a missing HTTP status.
func (r *Refusal) Code() int {
	for code := 1; code <= 16; code++ {
		var status geminiapi.ErrorStatus
		if status.UnmarshalJSON(strconv.AppendInt(nil, int64(code), 10)) == nil &&
			status == r.Status {
			return code
		}
	}
	return 2 // UNKNOWN
}

// Envelope returns the body: an object that contains the error object.
func (r *Refusal) Envelope() (jsontext.Value, error) {
	return json.Marshal(&geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code: &r.HTTPStatus, Status: &r.Status, Message: &r.Message, Details: r.Details,
	}})
}

// with returns the refusal with another detail at the end.
func (r *Refusal) with(kind string, detail geminiapi.ErrorDetail) *Refusal {
	detail.Type = new("type.googleapis.com/google.rpc." + kind)
	r.Details = append(r.Details, detail)
	return r
}

// withReason adds the stable name of the cause. metadata are pairs of names and values.
func (r *Refusal) withReason(reason string, metadata map[string]string) *Refusal {
	return r.with("ErrorInfo",
		geminiapi.ErrorDetail{Reason: &reason, Domain: new("googleapis.com"), Metadata: metadata})
}

// withLocalizedMessage repeats the message in a detail, like the front end of Google's services.
func (r *Refusal) withLocalizedMessage() *Refusal {
	return r.with("LocalizedMessage",
		geminiapi.ErrorDetail{Locale: new("en-US"), Message: &r.Message})
}
