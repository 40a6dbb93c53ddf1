package transform

import (
	"time"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/nearest"
)

// Error is the reason why a request gets no answer. A form words it for its clients.
type Error struct {
	// Status is the HTTP status. In a stream it is the status that the response would have had.
	Status int
	// Type and Code are OpenAI's, such as "invalid_request_error" and "context_length_exceeded".
	// Code may be "".
	Type, Code string
	// Param is the JSON pointer of the invalid member, or "".
	Param string
	// Message is a text for people.
	Message string
	// RetryAfter is the retry delay, or 0 if it is unknown.
	RetryAfter time.Duration
	// RequestID is the id of the request in a server's logs, or "".
	RequestID string
}

// Error returns the message.
func (e *Error) Error() string { return "transform: " + e.Message }

// These are the types of errors.
const (
	TypeInvalidRequest = "invalid_request_error"
	TypeRateLimit      = "rate_limit_error"
	TypeQuota          = "insufficient_quota"
	TypeServer         = "server_error"
)

// These are codes that a form may word differently.
const (
	CodeTooLong       = "context_length_exceeded"
	CodeModelNotFound = "model_not_found"
)

// MemberError reports a member of a request that is unknown and may be misspelled.
type MemberError struct {
	Name  string
	Meant string // the member that was probably meant, or ""
}

// NewMemberError returns the error for an unknown name. known lists the known names.
func NewMemberError(name string, known []string) *MemberError {
	return &MemberError{name, nearest.Name(name, known)}
}

// Error returns the pointer and the reason.
func (e *MemberError) Error() string {
	pointer, _ := e.Location()
	return "transform: " + pointer + ": " + e.Reason()
}

// Location returns the pointer, for example "/temprature". The offset is always -1, because it is
// unknown.
func (e *MemberError) Location() (pointer string, offset int64) {
	return jsonx.MemberPointer("", e.Name), -1
}

// Reason returns what is wrong with the member.
func (e *MemberError) Reason() string {
	if e.Meant == "" {
		return "unknown parameter"
	}
	return "unknown parameter; did you mean " + e.Meant + "?"
}

// ErrorCode returns OpenAI's code.
func (*MemberError) ErrorCode() string { return "unknown_parameter" }
