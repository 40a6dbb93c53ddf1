package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// Error is a failure that a server reports, instead of a response or in a stream. It is the same
// type as the error of chat completions, because the envelope is the same.
type Error = openai.Error

// DecodeErrorResponse decodes the body of a failed call. The error is a *[wire.MalformedError].
func DecodeErrorResponse(data []byte) (*openaiapi.ErrorResponse, error) {
	return openai.DecodeErrorResponse(data)
}

// EncodeErrorResponse encodes the body of a failed call, like [openai.EncodeErrorResponse].
func EncodeErrorResponse(r *openaiapi.ErrorResponse) ([]byte, error) {
	return openai.EncodeErrorResponse(r)
}

// ErrorEvent returns the event with which a stream reports a failure, before or instead of
// response.failed. It has the members of the failure twice: next to the type, as in OpenAI's
// description, and in an object, as OpenAI's server sends them. openai-go ends a stream only if
// there is such an object.
func ErrorEvent(sequenceNumber int, failure openaiapi.ResponseError) openaiapi.ResponseEvent {
	code := string(failure.Code)
	return openaiapi.ResponseEvent{
		Type:           openaiapi.ResponseEventTypeError,
		SequenceNumber: sequenceNumber,
		Code:           &code,
		Message:        failure.Message,
		Param:          failure.Param,
		Error:          &failure,
	}
}

// failureOf returns the failure in an event of type error, in either form.
func failureOf(e *openaiapi.ResponseEvent) *Error {
	out := &Error{}
	failure := &out.Response.Error
	failure.Message, failure.Param, failure.Code = e.Message, e.Param, e.Code
	if e.Error != nil {
		failure.Type, failure.Message, failure.Param = e.Error.Type, e.Error.Message, e.Error.Param
		failure.Code = new(string(e.Error.Code))
	}
	return out
}
