package framing

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// Form is the form of a stream.
type Form int

// The forms. The query alt=sse requests events.
const (
	List Form = iota
	Events
)

// FormOf returns the form that the query of a request selects.
func FormOf(r *http.Request) Form {
	for _, name := range []string{"alt", "$alt"} {
		if r.URL.Query().Get(name) == "sse" {
			return Events
		}
	}
	return List
}

// Stream writes the chunks of an answer and flushes each of them. [NewStream] makes a Stream.
type Stream struct {
	w    http.ResponseWriter
	form Form
	// begun is true after the header is written. An error can no longer change the header.
	begun bool
	// count is the number of chunks so far.
	count int
}

// NewStream returns a stream in a form. It writes nothing yet.
func NewStream(w http.ResponseWriter, form Form) *Stream { return &Stream{w: w, form: form} }

// Chunk writes one chunk. It writes the header before the first chunk.
func (s *Stream) Chunk(payload jsontext.Value) error {
	frame, err := s.Frame(payload)
	if err != nil {
		return err
	}
	return s.Raw(frame)
}

// Frame returns what [Stream.Chunk] would write, for callers that write it in pieces with
// [Stream.Raw].
func (s *Stream) Frame(payload jsontext.Value) ([]byte, error) {
	if s.form == Events {
		return AppendEvent(nil, payload)
	}
	return AppendElement(nil, payload, s.count == 0)
}

// Raw writes bytes unchanged. It writes the header before the first bytes. A frame is one chunk.
func (s *Stream) Raw(frame []byte) error {
	s.begin()
	s.count++
	if _, err := s.w.Write(frame); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}

// Error writes an error, instead of chunks or after them, and ends the stream. Instead of chunks,
// the reply has the status. With alt=sse its body is the bare error, although its type is
// text/event-stream. After chunks, the bare error comes among the events. In a list it is an
// element.
func (s *Stream) Error(status int, payload jsontext.Value) error {
	if s.form == List {
		return s.errorElement(status, payload)
	}
	body, err := AppendWhole(nil, payload)
	if err != nil {
		return err
	}
	if !s.begun {
		s.begun = true
		return writeBody(s.w, status, s.contentType(), body)
	}
	return s.Raw(body)
}

func (s *Stream) errorElement(status int, payload jsontext.Value) error {
	element, err := AppendElement(nil, payload, s.count == 0)
	if err != nil {
		return err
	}
	element = append(element, ListEnd...)
	if !s.begun {
		s.begun = true
		return writeBody(s.w, status, s.contentType(), append(element, '\n'))
	}
	return s.Raw(element)
}

// Close ends a stream that no error has ended. A stream without chunks is an empty event stream or
// an empty list.
func (s *Stream) Close() error {
	s.begin()
	if s.form == Events {
		return nil
	}
	end := ListEnd
	if s.count == 0 {
		end = "[]"
	}
	_, err := s.w.Write([]byte(end))
	return err
}

func (s *Stream) contentType() string {
	if s.form == Events {
		return "text/event-stream"
	}
	return "application/json; charset=UTF-8"
}

func (s *Stream) begin() {
	if s.begun {
		return
	}
	s.begun = true
	setCommonHeaders(s.w.Header())
	s.w.Header().Set("Content-Type", s.contentType())
	if s.form == Events {
		s.w.Header().Set("Content-Disposition", "attachment")
	}
	s.w.WriteHeader(http.StatusOK)
}
