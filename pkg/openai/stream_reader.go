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

// StreamReader reads the body of a streamed completion, one chunk at a time. Each line "data: ..." is an
// event; all other lines are skipped. It is not safe for use by several goroutines, and does not close
// the reader below.
type StreamReader struct {
	lines  *bufio.Reader
	events int   // read so far
	offset int64 // behind the line at hand
	err    error // what ended the stream
}

// NewStreamReader returns a reader of the stream in r. It reads nothing yet.
func NewStreamReader(r io.Reader) *StreamReader { return &StreamReader{lines: bufio.NewReader(r)} }

// Next returns the next chunk. It returns [io.EOF] at the event [DONE], and else an error that says why
// there are no more chunks: an *[Error] if the server reported one in the stream, a *[StreamError] for
// an event that is no chunk and for a stream that only stops, which wraps [ErrTruncated], or the error
// of the reader below. After an error, Next returns the same error again.
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
	case err != nil:
		return err
	default:
		return s.fault(offset, errBehindEnd)
	}
}

var doneMark = []byte("[DONE]")

func (s *StreamReader) read() (*openaiapi.CreateChatCompletionStreamResponse, error) {
	data, offset, err := s.dataLine()
	if err == io.EOF {
		return nil, s.fault(-1, ErrTruncated)
	}
	if err != nil {
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
	for err == nil {
		var line []byte
		line, err = s.lines.ReadBytes('\n')
		start := s.offset
		s.offset += int64(len(line))
		value := line
		if start == 0 {
			value = bytes.TrimPrefix(value, byteOrderMark)
		}
		if value, ok := bytes.CutPrefix(value, dataField); ok && (err == nil || err == io.EOF) {
			value = bytes.TrimLeft(value, " ")
			return bytes.TrimSpace(value), s.offset - int64(len(value)), nil
		}
	}
	return nil, 0, err
}

func (s *StreamReader) fault(offset int64, err error) *StreamError {
	return &StreamError{Event: s.events + 1, Offset: offset, Err: err}
}

// ErrTruncated is wrapped by the error of a stream that only stops.
var ErrTruncated = errors.New("the stream is truncated: neither [DONE] nor an error is there")

var errBehindEnd = errors.New("an event behind the one that ends the stream")

// StreamError reports why a stream cannot be read on, and where. Failures that the server itself reports
// are of type *[Error] instead.
type StreamError struct {
	// Event is the ordinal of the event at fault, counted from 1: all before it were delivered.
	Event int
	// Offset counts the bytes before the data of the event; -1 at the end of a truncated stream.
	Offset int64
	// Err is the cause: [ErrTruncated], or a *[MalformedError], whose own offset counts within the event.
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
