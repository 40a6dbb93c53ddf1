package gemini

import (
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/go-json-experiment/json"
)

// StreamWriter writes the body of a streamGenerateContent answer, as the API does: server-sent
// events with lines that end in CR LF, or a JSON array for clients that do not ask for alt=sse.
// Each method makes one call of Write of the underlying writer. It is not safe for use by several
// goroutines.
type StreamWriter struct {
	w     io.Writer
	array bool
	begun bool
	buf   []byte
	err   error
}

// StreamWriterOption changes how a [StreamWriter] writes.
type StreamWriterOption func(*StreamWriter)

// WithArray writes a JSON array instead of events.
func WithArray() StreamWriterOption {
	return func(s *StreamWriter) { s.array = true }
}

// NewStreamWriter returns a writer of a body to w. It writes nothing yet.
func NewStreamWriter(w io.Writer, opts ...StreamWriterOption) *StreamWriter {
	s := &StreamWriter{w: w}
	option.Apply(s, opts)
	return s
}

// Write writes chunks. If a chunk cannot be written as JSON, it writes nothing and returns an
// *[wire.EncodeError]. An error of the underlying writer is returned again by every later call.
func (s *StreamWriter) Write(chunks ...*geminiapi.GenerateContentResponse) error {
	s.buf = s.buf[:0]
	begun := s.begun
	for _, c := range chunks {
		s.begin()
		out, err := AppendResponse(s.buf, c)
		if err != nil {
			s.begun = begun
			return err
		}
		s.buf = s.end(out)
	}
	return s.flush()
}

// Fail writes an error as the last element of a stream. In a stream of events the error is not an
// event, as the API sends it: Gemini CLI ignores an error in an event.
func (s *StreamWriter) Fail(body *geminiapi.ErrorResponse) error {
	data, err := json.Marshal(body, jsonx.Canonical)
	if err != nil {
		return err
	}
	s.buf = s.buf[:0]
	if s.array {
		s.begin()
	}
	s.buf = s.end(append(s.buf, data...))
	return s.flush()
}

// Done ends the body. Events need no mark at their end.
func (s *StreamWriter) Done() error {
	s.buf = s.buf[:0]
	if !s.array {
		return s.err
	}
	if !s.begun {
		s.buf = append(s.buf, '[')
	}
	s.buf = append(s.buf, "]\n"...)
	return s.flush()
}

// begin appends the bytes before an element.
func (s *StreamWriter) begin() {
	switch {
	case !s.array:
		s.buf = append(s.buf, "data: "...)
	case s.begun:
		s.buf = append(s.buf, ",\r\n"...)
	default:
		s.buf = append(s.buf, '[')
	}
	s.begun = true
}

// end appends the bytes after an element.
func (s *StreamWriter) end(out []byte) []byte {
	if s.array {
		return out
	}
	return append(out, "\r\n\r\n"...)
}

func (s *StreamWriter) flush() error {
	if s.err != nil || len(s.buf) == 0 {
		return s.err
	}
	_, s.err = s.w.Write(s.buf)
	return s.err
}
