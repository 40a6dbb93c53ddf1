package responseframe

import (
	"bytes"
	"net/http"

	"github.com/gemwire/gemwire/internal/eventtext"
)

// Writer is an [http.ResponseWriter] that writes an answer as frames. Its writes must be whole
// events, as package eventwriter does them, or the body of an error.
type Writer struct {
	send   func(frame []byte) error
	lane   string
	suffix []byte // of each event, "" for none
	header http.Header
	status int
	body   []byte // of an error
}

// NewWriter returns a writer of an answer in a lane. lane is "" if the client has named none.
func NewWriter(send func(frame []byte) error, lane string) *Writer {
	w := &Writer{send: send, lane: lane, header: http.Header{}}
	if lane != "" { // which needs no escapes
		w.suffix = []byte(`,"stream_id":"` + lane + `"}`)
	}
	return w
}

// Header implements [http.ResponseWriter].
func (w *Writer) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter].
func (w *Writer) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Status returns the status of the answer, or 0 if it has none.
func (w *Writer) Status() int { return w.status }

// Write implements [http.ResponseWriter]. It sends the events, but neither comments nor the mark at
// the end. [Writer.Close] sends an error.
func (w *Writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.status >= http.StatusBadRequest {
		w.body = append(w.body, p...)
		return len(p), nil
	}
	for event := range bytes.SplitSeq(p, []byte(eventtext.End)) {
		data := eventtext.Data(event)
		if !bytes.HasPrefix(data, []byte("{")) {
			continue
		}
		if w.suffix != nil {
			data = append(bytes.Clone(data[:len(data)-1]), w.suffix...)
		}
		if err := w.send(data); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// Close sends the error frame of an answer that is an error.
func (w *Writer) Close() error {
	if w.status < http.StatusBadRequest {
		return nil
	}
	return w.send(Error(w.status, w.header, w.body, w.lane))
}
