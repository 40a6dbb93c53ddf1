package responses

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
)

// newEventWriter returns functions that write the body of a streamed response. An event of type
// error is written when it arrives. An error object without a type is written as such an event.
func newEventWriter(out io.Writer) (write func(*openaiapi.ResponseEvent) error,
	fail func(error) (bool, error)) {
	body := responseswire.NewStreamWriter(out)
	next, isWritten := 0, false
	write = func(e *openaiapi.ResponseEvent) error {
		next, isWritten = e.SequenceNumber+1, e.Type == openaiapi.ResponseEventTypeError
		return body.Write(*e)
	}
	return write, func(err error) (bool, error) {
		failure, ok := errors.AsType[*responseswire.Error](err)
		if !ok || isWritten {
			return ok, nil
		}
		in := &failure.Response.Error
		return true, body.Fail(responseswire.ErrorEvent(next, openaiapi.ResponseError{
			Type: in.Type, Code: openaiapi.ResponseErrorCode(jsonx.Deref(in.Code)),
			Message: in.Message, Param: in.Param,
		}))
	}
}
