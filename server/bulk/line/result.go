package line

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Result is the result of one line: an answer, a refusal, or why the line was not run.
type Result struct {
	// Number and CustomID identify the line.
	Number   int    `json:"number"`
	CustomID string `json:"custom_id"`
	// Response is nil for a line that was not run.
	Response *Response `json:"response,omitzero"`
	// Error is why a line was not run, or why its answer is of no use. The Response is then nil, or
	// the answer. It is nil for any other line.
	Error *Error `json:"error,omitzero"`
	// Usage is the usage of the line over all its calls, if it is known.
	Usage Usage `json:"usage,omitzero"`
	// Attempts is the number of calls for the line. It is 0 for a line that was not run.
	Attempts int `json:"attempts,omitzero"`
}

// Response is an HTTP answer or refusal.
type Response struct {
	// Status is the HTTP status code.
	Status int `json:"status_code"`
	// RequestID is the id of the call in logs, or "".
	RequestID string `json:"request_id"`
	// Body is the answer or the vendor's error, as JSON.
	Body jsontext.Value `json:"body"`
}

// Error is why a line was not run, or why its answer is of no use.
type Error struct {
	// Code is [CodeExpired], [CodeCancelled], [CodeDamaged] or [CodeMismatch].
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
}

// The codes of lines that were not run, or whose answer was lost or is of no use.
const (
	CodeExpired   = "batch_expired"
	CodeCancelled = "batch_cancelled"
	CodeDamaged   = "batch_damaged"
	CodeMismatch  = "schema_mismatch"
)

// Failed reports whether the result belongs in the errors file: the line was refused, or not run,
// or its answer is of no use.
func (r *Result) Failed() bool {
	return r.Error != nil || r.Response == nil || r.Response.Status >= http.StatusBadRequest
}

// Expired returns the result of a line that was not run because the job expired.
func Expired(l *Line) Result {
	return Result{Number: l.Number, CustomID: l.CustomID, Error: &Error{
		CodeExpired, "this request was not run before the completion window of its batch ended",
	}}
}

// Cancelled returns the result of a line that was not run because the job was cancelled.
func Cancelled(l *Line) Result {
	return Result{Number: l.Number, CustomID: l.CustomID, Error: &Error{
		CodeCancelled, "this request was not run because its batch was cancelled",
	}}
}

// Damaged returns the result of a line whose answer was lost, because the store was damaged.
func Damaged(l *Line) Result {
	return Result{Number: l.Number, CustomID: l.CustomID, Error: &Error{
		CodeDamaged, "the answer to this request was lost because the store of the batch was damaged",
	}}
}

// Mismatched makes an answer the result of a line whose answers do not fit the request, with the
// reason of the last one.
func (r *Result) Mismatched(why error) {
	calls := "1 call"
	if r.Attempts != 1 {
		calls = strconv.Itoa(r.Attempts) + " calls"
	}
	r.Error = &Error{CodeMismatch, why.Error() + " (after " + calls + ")"}
}
