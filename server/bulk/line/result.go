package line

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// Result is what came of one line: an answer, a refusal, or why the line was not run.
type Result struct {
	// Number and CustomID are those of the line.
	Number   int    `json:"number"`
	CustomID string `json:"custom_id"`
	// Response is nil for a line that was not run.
	Response *Response `json:"response,omitzero"`
	// Error is why a line was not run, nil for one that was.
	Error *Error `json:"error,omitzero"`
	// Usage is what the line used, over all of its calls as far as that is known.
	Usage Usage `json:"usage,omitzero"`
	// Attempts counts the calls that were made for the line. 0 stands for a line that was not run.
	Attempts int `json:"attempts,omitzero"`
}

// Response is an answer or a refusal by HTTP.
type Response struct {
	// Status is the status code of HTTP.
	Status int `json:"status_code"`
	// RequestID names the call in logs, "" for none.
	RequestID string `json:"request_id"`
	// Body is JSON: the answer, or the error in the vendor's words.
	Body jsontext.Value `json:"body"`
}

// Error is why a line was not run.
type Error struct {
	// Code is one of [CodeExpired] and [CodeCancelled].
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
}

// The codes of lines that were not run.
const (
	CodeExpired   = "batch_expired"
	CodeCancelled = "batch_cancelled"
)

// Failed reports whether the result belongs into the file of errors: the line was refused, or not
// run.
func (r *Result) Failed() bool {
	return r.Response == nil || r.Response.Status >= http.StatusBadRequest
}

// Expired returns the result of a line that was not run, as the job's time was over.
func Expired(l *Line) Result {
	return Result{Number: l.Number, CustomID: l.CustomID, Error: &Error{
		CodeExpired, "this request could not be run before the completion window of its batch was over",
	}}
}

// Cancelled returns the result of a line that was not run, as the job was cancelled.
func Cancelled(l *Line) Result {
	return Result{Number: l.Number, CustomID: l.CustomID, Error: &Error{
		CodeCancelled, "this request was not run, as its batch was cancelled",
	}}
}
