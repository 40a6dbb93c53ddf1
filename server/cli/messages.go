package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	tomessages "github.com/gemwire/gemwire/pkg/transform/messages"
	messagesrequest "github.com/gemwire/gemwire/pkg/transform/messages/request"
)

func messagesToGeminiRequest(r *anthropicapi.CreateMessageRequest, s settings) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []messagesrequest.Option{messagesrequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, messagesrequest.ForVertexAI())
	}
	return messagesrequest.ToGemini(r, opts...)
}

func toMessage(r *geminiapi.GenerateContentResponse, s settings) (*anthropicapi.Message, report.Report, error) {
	return tomessages.FromGemini(r, messagesOptions(s)...)
}

func normalizedToMessage(r *normalize.Response, s settings) (*anthropicapi.Message, report.Report, error) {
	return tomessages.FromNormalized(r, messagesOptions(s)...)
}

func messagesOptions(s settings) []tomessages.Option {
	return []tomessages.Option{tomessages.WithModelName(s.model), tomessages.WithID(s.id)}
}

func newMessageConverter(s settings) chunkConverter[anthropicapi.StreamEvent] {
	opts := messagesOptions(s)
	if s.lossesOnly {
		opts = append(opts, tomessages.WithLossesOnly())
	}
	return tomessages.NewStream(opts...)
}

// messageWriter writes the body of a streamed message. One that fails ends in an event of type error.
type messageWriter struct{ *anthropic.StreamWriter }

func newMessageWriter(out io.Writer) streamWriter[anthropicapi.StreamEvent] {
	return messageWriter{anthropic.NewStreamWriter(out)}
}

// Done writes nothing, as the last event has ended the stream.
func (messageWriter) Done() error { return nil }

// Fail writes the error in the terms of the format.
func (w messageWriter) Fail(err error) {
	_, reply := tomessages.FromError(err)
	_ = w.StreamWriter.Fail(reply)
}

// checkMessagesRequest holds a request to the older version of the API, which takes all that the newer one does.
func checkMessagesRequest(r *anthropicapi.CreateMessageRequest) error {
	return anthropic.ValidateRequest(r, anthropic.Version20230601)
}

func readMessageEvents(in io.Reader) eventReader[anthropicapi.StreamEvent] {
	return anthropic.NewStreamReader(in)
}

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
