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

// DefaultMaxEventSize is the default limit of a [StreamReader] on the bytes of one event: 64 MiB,
// as in package gemini, whose events can hold an image.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed completion, one chunk at a time. It reads server-sent
// events by the rules of package gemini's StreamReader: several data lines make one event, lines
// may end with CR alone, and an error object needs no "data:" before it. Events have a limit, see
// [WithMaxEventSize]. The reader skips other lines of any length, and reports lines that do not
// belong to an event stream. It is not safe for use by several goroutines, and does not close the
// underlying reader.
type StreamReader struct {
	reader  eventstream.Reader[openaiapi.CreateChatCompletionStreamResponse]
	foreign bool // chunks may be from any server
	end     answerEnd
	ignored report.Report // members of an unusable type
}

// completionStream is the format of a streamed completion. It is never modified.
var completionStream = &eventstream.Wire{
	Payload: payloadCompletion, HasMark: true, Missing: "neither [DONE] nor an error",
	IsAnswer: isAnswer,
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event, in bytes. A larger event ends the stream with
// [wire.ErrEventTooLarge] and is never held in memory as a whole. The same limit, but at least 1
// MiB, applies to white space and comments before an event. The default is [DefaultMaxEventSize];
// below 1 there is no limit.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.reader.Scanner.MaxSize = size }
}

// WithForeignChunks accepts chunks of any server, like [DecodeForeignResponse], and errors, like
// [DecodeForeignError]. Errors in an event named error are always read this way. Without the
// option, a chunk that is not in OpenAI's form ends the stream.
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

// Next returns the next chunk. At the event [DONE] it returns [io.EOF]. Otherwise its error says
// why there are no more chunks:
//
//   - an *[Error] if the server reported an error in the stream.
//   - a *[wire.StreamError] if an event is not a chunk. It wraps [wire.ErrEventTooLarge] if an
//     event exceeds the limit, [wire.ErrSecondStream] if an event begins another completion after a
//     finish reason, and [wire.ErrTruncated] if the stream is incomplete.
//   - the error of the underlying reader.
//
// After an error, Next returns the same error again.
func (s *StreamReader) Next() (*openaiapi.CreateChatCompletionStreamResponse, error) {
	return s.reader.Next(s.decode)
}

// All returns an iterator over the chunks that Next would return. An error is the last pair, with a
// nil chunk; the proper end yields no error.
func (s *StreamReader) All() iter.Seq2[*openaiapi.CreateChatCompletionStreamResponse, error] {
	return eventstream.All(s.Next)
}

// Bytes returns the JSON of the last event that Next has read, as received, but with its data lines
// joined by LF. The event is the chunk, the error that ended the stream, or [DONE]. The result must
// not be changed and is valid until the next call of Next. It is nil before the first event and if
// the stream is incomplete.
func (s *StreamReader) Bytes() []byte { return s.reader.Data }

// CheckEnd reads the rest of the body after the mark [DONE] or the error object, where
// [StreamReader.Next] stops, and reports each event in it. If an event is a piece of another
// answer, it returns a *[wire.StreamError] that wraps [wire.ErrSecondStream]. It also returns read
// errors. It does nothing if the stream ended in neither the mark nor an error object. It waits
// while the server keeps the connection open.
func (s *StreamReader) CheckEnd() error {
	return s.reader.CheckEnd()
}

// isAnswer reports whether an event is a piece of an answer.
func isAnswer(event []byte) bool {
	chunk, err := DecodeChunk(event)
	return err == nil && len(chunk.Choices) > 0
}

// Report returns what no chunk so far contains: lines that do not belong to an event stream, such
// as a damaged "data:" line, halves of surrogate pairs, and the findings of
// [StreamReader.CheckEnd]. Pointers are into the stream as a list of events. A line is reported at
// the event after it.
func (s *StreamReader) Report() report.Report {
	return s.reader.Report(s.ignored)
}

// Lost returns the entries of [StreamReader.Report] that are losses. Use it to refuse losses chunk
// by chunk: it costs nothing while there are no losses.
func (s *StreamReader) Lost() report.Report {
	return s.reader.Lost(s.ignored)
}

// decode returns a chunk, and records the choices that it ends.
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

// namedError returns the error in an event named error, or nil. Text that is not JSON is its
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

// decodeForeign returns a chunk of any server, or the *Error that ends the stream. A null error is
// not an error.
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
