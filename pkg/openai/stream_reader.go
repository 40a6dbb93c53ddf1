package openai

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// DefaultMaxEventSize is the limit of a [StreamReader] on the bytes of one event: 64 MiB, like that of
// package gemini, whose events can hold an image.
const DefaultMaxEventSize = 64 << 20

// StreamReader reads the body of a streamed completion, one chunk at a time. Each line "data: ..." is an
// event, whose size has a limit, see [WithMaxEventSize]; all other lines are skipped, however long they
// are. It is not safe for use by several goroutines, and does not close the reader below.
type StreamReader struct {
	lines   *bufio.Reader
	maxSize int64 // of an event; none below 1
	events  int   // read so far
	offset  int64 // behind what was read
	err     error // what ended the stream
}

// StreamOption changes how a [StreamReader] reads.
type StreamOption func(*StreamReader)

// WithMaxEventSize limits the data of one event to so many bytes; a larger one ends the stream with
// [ErrEventTooLarge] and is never held in memory whole. Without this option the limit is
// [DefaultMaxEventSize]; with a size below 1 there is none.
func WithMaxEventSize(size int64) StreamOption {
	return func(s *StreamReader) { s.maxSize = size }
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader, opts ...StreamOption) *StreamReader {
	s := &StreamReader{lines: bufio.NewReader(r), maxSize: DefaultMaxEventSize}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// Next returns the next chunk. It returns [io.EOF] at the event [DONE], and else an error that says why
// there are no more chunks: an *[Error] if the server reported one in the stream, a *[StreamError] for
// an event that is no chunk, for one above the limit, which wraps [ErrEventTooLarge], and for a stream
// that only stops, which wraps [ErrTruncated], or the error of the reader below. After an error, Next returns the same error again.
func (s *StreamReader) Next() (*openaiapi.CreateChatCompletionStreamResponse, error) {
	if s.err != nil {
		return nil, s.err
	}
	chunk, err := s.read()
	s.err = err
	return chunk, err
}

// All returns an iterator over the chunks that Next would return. An error is the last pair, beside a
// nil chunk; the proper end is none.
func (s *StreamReader) All() iter.Seq2[*openaiapi.CreateChatCompletionStreamResponse, error] {
	return func(yield func(*openaiapi.CreateChatCompletionStreamResponse, error) bool) {
		for {
			chunk, err := s.Next()
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// CheckEnd reads on behind the event that ended the stream, and returns a *[StreamError] if another one
// follows. A server that keeps the connection open lets it wait.
func (s *StreamReader) CheckEnd() error {
	_, offset, err := s.dataLine()
	switch {
	case err == io.EOF:
		return nil
	case err != nil && err != ErrEventTooLarge:
		return err
	default:
		return s.fault(offset, errBehindEnd)
	}
}

var doneMark = []byte("[DONE]")

func (s *StreamReader) read() (*openaiapi.CreateChatCompletionStreamResponse, error) {
	data, offset, err := s.dataLine()
	switch {
	case err == io.EOF:
		return nil, s.fault(-1, ErrTruncated)
	case err == ErrEventTooLarge:
		return nil, s.fault(offset, err)
	case err != nil:
		return nil, err
	}
	chunk, err := decodeEvent(data)
	if _, malformed := errors.AsType[*MalformedError](err); malformed {
		return nil, s.fault(offset, err)
	}
	s.events++
	return chunk, err
}

// decodeEvent returns a chunk, or how the stream ends: io.EOF or an *Error.
func decodeEvent(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	switch {
	case bytes.Equal(data, doneMark):
		return nil, io.EOF
	case isErrorResponse(data):
		body, err := DecodeErrorResponse(data)
		if err != nil {
			return nil, err
		}
		return nil, &Error{Response: *body}
	default:
		return DecodeChunk(data)
	}
}

var dataField, byteOrderMark = []byte("data:"), []byte("\ufeff")

// dataLine returns the value of the next data line, and how many bytes are in front of it.
func (s *StreamReader) dataLine() (data []byte, offset int64, err error) {
	for {
		isFirst := s.offset == 0
		piece, err := s.piece()
		if isFirst {
			piece = bytes.TrimPrefix(piece, byteOrderMark)
		}
		if value, ok := bytes.CutPrefix(piece, dataField); ok {
			value = bytes.TrimLeft(value, " ")
			offset = s.offset - int64(len(value))
			data, err = s.readLine(bytes.Clone(value), err)
			return data, offset, err
		}
		for err == bufio.ErrBufferFull {
			_, err = s.piece()
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// readLine returns a value of which the line has begun, up to the end of the line or of the stream. err
// is what reading its beginning ended with.
func (s *StreamReader) readLine(value []byte, err error) ([]byte, error) {
	for err == bufio.ErrBufferFull && !s.isTooLarge(value) {
		var piece []byte
		piece, err = s.piece()
		value = append(value, piece...)
	}
	value = bytes.TrimSpace(value)
	switch {
	case s.isTooLarge(value):
		return nil, ErrEventTooLarge
	case err != nil && err != io.EOF:
		return nil, err
	default:
		return value, nil
	}
}

// piece reads a line, or of a long one a piece that is longer than any name of a field, with
// [bufio.ErrBufferFull]. It is valid until the next call.
func (s *StreamReader) piece() ([]byte, error) {
	piece, err := s.lines.ReadSlice('\n')
	s.offset += int64(len(piece))
	return piece, err
}

func (s *StreamReader) isTooLarge(value []byte) bool {
	return s.maxSize > 0 && int64(len(value)) > s.maxSize
}

func (s *StreamReader) fault(offset int64, err error) *StreamError {
	return &StreamError{Event: s.events + 1, Offset: offset, Err: err}
}

// ErrTruncated is wrapped by the error of a stream that only stops.
var ErrTruncated = errors.New("the stream is truncated: neither [DONE] nor an error is there")

// ErrEventTooLarge is wrapped by the error of a stream with an event above the limit.
var ErrEventTooLarge = errors.New("the event is too large")

var errBehindEnd = errors.New("an event behind the one that ends the stream")

// StreamError reports why a stream cannot be read on, and where. Failures that the server itself reports
// are of type *[Error] instead.
type StreamError struct {
	// Event is the ordinal of the event at fault, counted from 1: all before it were delivered.
	Event int
	// Offset counts the bytes before the data of the event; -1 at the end of a truncated stream.
	Offset int64
	// Err is the cause: [ErrTruncated], [ErrEventTooLarge], or a *[MalformedError], whose own offset counts within the event.
	Err error
}

// Error returns one line such as "openai: stream: event 3: openai: completion: /id: offset 6: not JSON".
func (e *StreamError) Error() string {
	return fmt.Sprintf("openai: stream: event %d: %v", e.Event, e.Err)
}

// Unwrap returns Err.
func (e *StreamError) Unwrap() error { return e.Err }

// Location returns the pointer into the list of all events, and the offset in the body.
func (e *StreamError) Location() (pointer string, offset int64) {
	pointer, offset = "/"+strconv.Itoa(e.Event-1), e.Offset
	if inner, ok := errors.AsType[*MalformedError](e.Err); ok {
		return pointer + inner.Pointer, offset + inner.Offset
	}
	return pointer, offset
}

// Reason returns what is wrong without the location.
func (e *StreamError) Reason() string {
	if inner, ok := errors.AsType[*MalformedError](e.Err); ok {
		return inner.Message
	}
	return e.Err.Error()
}
