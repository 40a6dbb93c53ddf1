package transform

import (
	"time"

	"github.com/gemwire/gemwire/internal/nearest"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is why a request gets no answer, before a form puts it into its words.
type Error struct {
	// Status is the HTTP status. In a stream it is what the status would have been.
	Status int
	// Type and Code are OpenAI's, such as "invalid_request_error" and "context_length_exceeded";
	// Code may be "".
	Type, Code string
	// Param is the JSON pointer of the member at fault, "" for none.
	Param string
	// Message is for people.
	Message string
	// RetryAfter is how long to wait before another try, 0 if that is unknown.
	RetryAfter time.Duration
	// RequestID is the id by which a server's logs know the request, "" for none.
	RequestID string
}

// Error returns the message.
func (e *Error) Error() string { return "transform: " + e.Message }

// The types of errors.
const (
	TypeInvalidRequest = "invalid_request_error"
	TypeRateLimit      = "rate_limit_error"
	TypeQuota          = "insufficient_quota"
	TypeServer         = "server_error"
)

// Codes for which a form may have words of its own.
const (
	CodeTooLong       = "context_length_exceeded"
	CodeModelNotFound = "model_not_found"
)

// MemberError is a member of a request that has no meaning, which is as likely misspelt as not.
type MemberError struct {
	Name  string
	Meant string // the member that may have been meant, "" for none
}

// NewMemberError returns the error for a name where only others are known.
func NewMemberError(name string, known []string) *MemberError {
	return &MemberError{name, nearest.Name(name, known)}
}

// Error returns the pointer and the reason.
func (e *MemberError) Error() string {
	pointer, _ := e.Location()
	return "transform: " + pointer + ": " + e.Reason()
}

// Location returns the pointer, for example "/temprature". The offset is unknown, -1.
func (e *MemberError) Location() (pointer string, offset int64) {
	return string(jsontext.Pointer("").AppendToken(e.Name)), -1
}

// Reason returns what is wrong with the member.
func (e *MemberError) Reason() string {
	if e.Meant == "" {
		return "no such parameter is known"
	}
	return "no such parameter is known; did you mean " + e.Meant + "?"
}

// ErrorCode returns OpenAI's code.
func (*MemberError) ErrorCode() string { return "unknown_parameter" }
