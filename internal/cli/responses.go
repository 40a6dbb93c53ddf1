package cli

import (
	"io"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
)

func readResponseEvents(in io.Reader) eventReader[openaiapi.ResponseEvent] {
	return responses.NewStreamReader(in)
}

func newResponseSequence() eventSequence[openaiapi.ResponseEvent] { return &responses.Sequence{} }

// writeResponseEvents writes the body of a streamed response. An error of the server's is an event itself, and written
// when it comes.
func writeResponseEvents(out io.Writer) (write func(*openaiapi.ResponseEvent) error, fail func(error) (bool, error)) {
	body := responses.NewStreamWriter(out)
	return func(e *openaiapi.ResponseEvent) error { return body.Write(*e) }, func(err error) (bool, error) {
		return isA[*responses.Error](err), nil
	}
}
