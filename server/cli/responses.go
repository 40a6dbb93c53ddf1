package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	responsesrequest "github.com/gemwire/gemwire/pkg/transform/responses/request"
)

func responsesToGeminiRequest(r *openaiapi.CreateResponseRequest, s settings) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []responsesrequest.Option{responsesrequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, responsesrequest.ForVertexAI())
	}
	return responsesrequest.ToGemini(r, opts...)
}

func toResponse(r *geminiapi.GenerateContentResponse, s settings) (*openaiapi.Response, report.Report, error) {
	return toresponses.FromGemini(r, responsesOptions(s)...)
}

func normalizedToResponse(r *normalize.Response, s settings) (*openaiapi.Response, report.Report, error) {
	return toresponses.FromNormalized(r, responsesOptions(s)...)
}

func responsesOptions(s settings) []toresponses.Option {
	opts := []toresponses.Option{toresponses.WithModelName(s.model), toresponses.WithID(s.id)}
	if s.created != nil {
		opts = append(opts, toresponses.WithCreated(*s.created))
	}
	if s.withoutExtensions {
		opts = append(opts, toresponses.WithoutExtensions())
	}
	return opts
}

func newResponseConverter(s settings) chunkConverter[openaiapi.ResponseEvent] {
	opts := responsesOptions(s)
	if s.lossesOnly {
		opts = append(opts, toresponses.WithLossesOnly())
	}
	return toresponses.NewStream(opts...)
}

// responseWriter writes the body of a streamed response. The stream itself tells how it has failed, unless it ends
// because of a loss.
type responseWriter struct {
	body    *responses.StreamWriter
	next    int // sequence number
	isEnded bool
}

func newResponseWriter(out io.Writer) streamWriter[openaiapi.ResponseEvent] {
	return &responseWriter{body: responses.NewStreamWriter(out)}
}

// Write writes events in one call.
func (w *responseWriter) Write(events ...openaiapi.ResponseEvent) error {
	w.next += len(events)
	w.isEnded = w.isEnded || len(events) > 0 && responses.IsTerminal(events[len(events)-1].Type)
	return w.body.Write(events...)
}

// Done writes nothing, as the last event has ended the stream.
func (*responseWriter) Done() error { return nil }

// Fail writes the error in the terms of the format.
func (w *responseWriter) Fail(err error) {
	if w.isEnded {
		return
	}
	_, reply := toresponses.FromError(err)
	failure := openaiapi.ResponseError{Type: reply.Error.Type, Code: openaiapi.ResponseErrorCodeServerError, Message: reply.Error.Message}
	_ = w.body.Fail(responses.ErrorEvent(w.next, failure))
}

func readResponseEvents(in io.Reader) eventReader[openaiapi.ResponseEvent] {
	return responses.NewStreamReader(in)
}

// writeResponseEvents writes the body of a streamed response. An event of type error is written when
// it comes; an error object without a type is written as such an event.
func writeResponseEvents(out io.Writer) (write func(*openaiapi.ResponseEvent) error, fail func(error) (bool, error)) {
	body := responses.NewStreamWriter(out)
	next, isWritten := 0, false
	write = func(e *openaiapi.ResponseEvent) error {
		next, isWritten = e.SequenceNumber+1, e.Type == openaiapi.ResponseEventTypeError
		return body.Write(*e)
	}
	return write, func(err error) (bool, error) {
		failure, ok := errors.AsType[*responses.Error](err)
		if !ok || isWritten {
			return ok, nil
		}
		return true, body.Fail(responses.ErrorEvent(next, responseError(failure)))
	}
}

// responseError returns an error of the server's in the form of events.
func responseError(e *responses.Error) openaiapi.ResponseError {
	in := &e.Response.Error
	return openaiapi.ResponseError{
		Type: in.Type, Code: openaiapi.ResponseErrorCode(jsonx.Deref(in.Code)), Message: in.Message, Param: in.Param,
	}
}
