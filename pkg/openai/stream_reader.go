package openai

import (
	"bytes"
	"io"
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event: 64 MiB, like that
// of package gemini, whose events can hold an image.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed completion, one chunk at a time. It reads server-sent
// events by the rules that package gemini describes at its StreamReader, so that several data lines
// make one event, lines may end with CR alone, and an error object needs no "data:" in front of it.
// An event has a limit, see [WithMaxEventSize]; all other lines are skipped, however long they are,
// and those that are none of an event stream are in the report. It is not safe for use by several
// goroutines, and does not close the reader below.
type StreamReader struct {
	reader  eventstream.Reader[openaiapi.CreateChatCompletionStreamResponse]
	foreign bool // chunks are of any server
	end     answerEnd
	ignored report.Report // members that make no sense
}

// completionStream is the wire of a streamed completion. It is never written to.
var completionStream = &eventstream.Wire{
	Payload: payloadCompletion, HasMark: true, Missing: "neither [DONE] nor an error is there",
	IsAnswer: isAnswer,
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event to so many bytes; a larger one ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory whole. So does as much white space, comments
// and the like before an event, but 1 MiB may be there in any case. Without this option the limit
// is [DefaultMaxEventSize]; with a size below 1 there is none.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.reader.Scanner.MaxSize = size }
}

// WithForeignChunks reads chunks of any server, as [DecodeForeignResponse] reads completions, and
// errors as [DecodeForeignError] does, as those in an event named error are read in any case.
// Without it a chunk that is not in OpenAI's form ends the stream.
func WithForeignChunks() StreamOption {
	return func(s *StreamReader) { s.foreign = true }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{reader: eventstream.NewReader[openaiapi.CreateChatCompletionStreamResponse](r,
		completionStream, DefaultMaxEventSize)}
	option.Apply(s, opts)
	return s
}

// Next returns the next chunk. It returns [io.EOF] at the event [DONE], and else an error that says
// why there are no more chunks: an *[Error] if the server reported one in the stream, a
// *[wire.StreamError] for an event that is no chunk, for one above the limit, which wraps
// [wire.ErrEventTooLarge], for one that begins another completion behind a finish reason, which
// wraps [wire.ErrSecondStream], and for a stream that only stops, which wraps [wire.ErrTruncated],
// or the error of the reader below. After an error, Next returns the same error again.
func (s *StreamReader) Next() (*openaiapi.CreateChatCompletionStreamResponse, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the chunks that Next would return. An error is the last pair, beside
// a nil chunk; the proper end is none.
func (s *StreamReader) All() iter.Seq2[*openaiapi.CreateChatCompletionStreamResponse, error] {
	return eventstream.All(s.Next)
}

// Bytes returns the JSON of the event that Next has read last, as it came except that its data
// lines are joined by LF: that of the chunk, or of the error that ended the stream; [DONE] at the
// mark. It must not be changed and is valid until the next call of Next. It is nil before the first
// event and where the stream only stopped.
func (s *StreamReader) Bytes() []byte { return s.reader.Data }

// CheckEnd reads on behind the mark [DONE] or the error object, where [StreamReader.Next] stops, to
// the end of the body, and has the report name each event there. It fails with a
// *[wire.StreamError] that wraps [wire.ErrSecondStream] at one that is a piece of another answer,
// or with what reading failed with. For a stream that ended in neither the mark nor an error object
// it does nothing. It waits as long as the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of an answer.
func isAnswer(event []byte) bool {
	chunk, err := DecodeChunk(event)
	return err == nil && len(chunk.Choices) > 0
}

// Report returns what of the body is in no chunk so far: lines that are none of an event stream,
// such as one whose "data:" is damaged, halves of surrogate pairs, and what [StreamReader.CheckEnd]
// has found. The pointers are those into the stream as a list of its events: a line is reported at
// the event behind it.
func (s *StreamReader) Report() report.Report {
	return s.reader.Report(s.ignored)
}

// Lost returns the entries of [StreamReader.Report] that are losses, for who refuses them chunk by
// chunk: it costs nothing as long as there are none.
func (s *StreamReader) Lost() report.Report {
	return s.reader.Lost(s.ignored)
}

// decode returns a chunk, and takes note of the choices that it ends.
func (s *StreamReader) decode(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	chunk, err := s.decodeEvent(data)
	if err == nil && s.end.isPassed(chunk, &s.reader.Scanner.Event) {
		return nil, wire.ErrSecondStream
	}
	return chunk, err
}

// decodeEvent returns a chunk, or the *Error that ends the stream.
func (s *StreamReader) decodeEvent(data []byte) (*openaiapi.CreateChatCompletionStreamResponse,
	error) {
	if s.reader.Scanner.Event.IsError {
		if said := namedError(data); said != nil {
			return nil, said
		}
	}
	switch {
	case s.foreign:
		return s.decodeForeign(data)
	case !isErrorResponse(data):
		return DecodeChunk(data)
	}
	body, err := DecodeErrorResponse(data)
	if err != nil {
		return nil, err
	}
	return nil, &Error{Response: *body}
}

// namedError returns the error in an event of that type, nil for none. One that is no JSON is a
// message.
func namedError(data []byte) *Error {
	foreign := DecodeForeignError(data)
	if foreign == nil && !jsontext.Value(data).IsValid() {
		message := bytes.ToValidUTF8(bytes.TrimSpace(data), []byte("\ufffd"))
		foreign = &openaiapi.ErrorResponse{Error: openaiapi.Error{Message: string(message)}}
	}
	if foreign == nil {
		return nil
	}
	return &Error{Response: *foreign}
}

// decodeForeign returns a chunk of any server, or the *Error that ends the stream. An error that is
// null is none.
func (s *StreamReader) decodeForeign(data []byte) (*openaiapi.CreateChatCompletionStreamResponse,
	error) {
	chunk, report, err := decodeForeignChunk(data)
	reported := ErrorInChunk(chunk)
	if err != nil {
		reported = errorIn(data, "", true)
	}
	if reported != nil {
		return nil, reported
	}
	for _, e := range report {
		s.ignored.Add(e.Kind, "/"+strconv.Itoa(s.reader.Count)+e.Pointer, e.Detail)
	}
	return chunk, err
}
