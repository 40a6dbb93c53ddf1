package messages

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
)

// newEventWriter returns functions that write the body of a streamed message. An error of the
// server is written as an event.
func newEventWriter(out io.Writer) (write func(*anthropicapi.StreamEvent) error,
	fail func(error) (bool, error)) {
	body := anthropic.NewStreamWriter(out)
	return func(e *anthropicapi.StreamEvent) error { return body.Write(*e) },
		func(err error) (bool, error) {
			failure, ok := errors.AsType[*anthropic.Error](err)
			if !ok {
				return false, nil
			}
			return true, body.Fail(&failure.Response)
		}
}
