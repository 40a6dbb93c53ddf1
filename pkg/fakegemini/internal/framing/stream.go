package framing

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"
)

// Form is how the chunks of a stream are written.
type Form int

// The forms. A request asks for events by the query alt=sse.
const (
	List Form = iota
	Events
)

// FormOf returns the form that the query of a request asks for.
func FormOf(r *http.Request) Form {
	for _, name := range []string{"alt", "$alt"} {
		if r.URL.Query().Get(name) == "sse" {
			return Events
		}
	}
	return List
}

// Stream writes the chunks of an answer as they come, each flushed on its own. It is made by
// [NewStream].
type Stream struct {
	w    http.ResponseWriter
	form Form
	// begun is true once the header is written, which no error can change any more.
	begun bool
	// count is the number of chunks so far.
	count int
}

// NewStream returns a stream in a form. It writes nothing yet.
func NewStream(w http.ResponseWriter, form Form) *Stream { return &Stream{w: w, form: form} }

// Chunk writes one chunk, and in front of the first one the header.
func (s *Stream) Chunk(payload jsontext.Value) error {
	frame, err := s.Frame(payload)
	if err != nil {
		return err
	}
	return s.Raw(frame)
}

// Frame returns what [Stream.Chunk] would write now, for who writes it in pieces with [Stream.Raw].
func (s *Stream) Frame(payload jsontext.Value) ([]byte, error) {
	if s.form == Events {
		return AppendEvent(nil, payload)
	}
	return AppendElement(nil, payload, s.count == 0)
}

// Raw writes bytes as they are, and in front of the first ones the header. A frame is one chunk.
func (s *Stream) Raw(frame []byte) error {
	s.begin()
	s.count++
	if _, err := s.w.Write(frame); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}

// Error writes an error, in place of the chunks or after them, and ends the stream. In place of
// them the reply has the status, and with alt=sse a body that is the bare error, although its type
// is that of events. Behind them the error stands bare among the events as well. In a list it is an
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

// Close ends a stream that no error has ended. Without a chunk it is an empty body of events, or an
// empty list.
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
