package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform"
	messagesrequest "github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func messagesToGeminiRequest(r *anthropicapi.CreateMessageRequest, s settings) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []messagesrequest.Option{messagesrequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, messagesrequest.ForVertexAI())
	}
	return messagesrequest.ToGemini(r, opts...)
}

// checkMessagesRequest holds a request to the older version of the API, which takes all that the newer one does.
func checkMessagesRequest(r *anthropicapi.CreateMessageRequest) error {
	return anthropic.ValidateRequest(r, anthropic.Version20230601)
}

func readMessageEvents(in io.Reader) eventReader[anthropicapi.StreamEvent] {
	return anthropic.NewStreamReader(in)
}

func newMessageSequence() eventSequence[anthropicapi.StreamEvent] { return &anthropic.Sequence{} }

// writeMessageEvents writes the body of a streamed message, with an error of the server's as an event.
func writeMessageEvents(out io.Writer) (write func(*anthropicapi.StreamEvent) error, fail func(error) (bool, error)) {
	body := anthropic.NewStreamWriter(out)
	return func(e *anthropicapi.StreamEvent) error { return body.Write(*e) }, func(err error) (bool, error) {
		failure, ok := errors.AsType[*anthropic.Error](err)
		if !ok {
			return false, nil
		}
		return true, body.Fail(&failure.Response)
	}
}
