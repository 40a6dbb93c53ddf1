package responses

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	responseswire "github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wire"
)

// WriteStream converts a whole stream, as it arrives, to the body of a streamed response. It
// returns the report of [Stream.Report].
//
//	in := gemini.NewStreamReader(body)
//	report, err := responses.WriteStream(w, in.All(), responses.WithRequest(request))
//
// If the stream fails, the body ends in an event of type error and a failed response. WriteStream
// then returns a *[normalize.Error], or an *[wire.EncodeError] for an event that cannot be written
// as JSON. It also returns an error of w, and stops reading.
func WriteStream(w io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error],
	opts ...Option) (report.Report, error) {
	s := NewStream(append(slices.Clip(opts), WithReusedEvents())...)
	err := answer.Write(s, chunks, body{responseswire.NewStreamWriter(w), s})
	return s.Report(), err
}

// body is the body of a streamed response.
type body struct {
	*responseswire.StreamWriter
	stream *Stream
}

// Fail ends the body if an event could not be written. Any other failure is in the last events of
// the stream.
func (b body) Fail(failure error) error {
	if _, isUnwritten := errors.AsType[*wire.EncodeError](failure); !isUnwritten {
		return nil
	}
	return b.StreamWriter.Fail(responseswire.ErrorEvent(b.stream.encoder.events,
		*serverError("an event could not be written")))
}
