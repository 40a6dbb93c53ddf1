package fault

import (
	"context"
	"net/http"
	"time"
)

// Writer writes an answer with faults. The zero values of its fields change nothing. They may be
// set at any time, but ContentType only before the header.
type Writer struct {
	http.ResponseWriter

	// ContentType is the Content-Type of the answer.
	ContentType string
	// Half omits the second half of everything that is written.
	Half bool
	// Bytes is how many bytes are sent at once, with a wait of Every between them.
	Bytes int
	Every time.Duration
	// Context ends the wait.
	Context context.Context
}

// WriteHeader writes the header.
func (w *Writer) WriteHeader(status int) {
	if w.ContentType != "" {
		w.Header().Set("Content-Type", w.ContentType)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write writes a text, and reports that it has written all of it.
func (w *Writer) Write(text []byte) (int, error) {
	sent := text
	if w.Half {
		sent = text[:len(text)/2]
	}
	var err error
	if w.Bytes > 0 {
		err = w.writeSlowly(sent)
	} else {
		_, err = w.ResponseWriter.Write(sent)
	}
	if err != nil {
		return 0, err
	}
	return len(text), nil
}

func (w *Writer) writeSlowly(text []byte) error {
	for len(text) > 0 {
		n := min(w.Bytes, len(text))
		if _, err := w.ResponseWriter.Write(text[:n]); err != nil {
			return err
		}
		text = text[n:]
		if err := http.NewResponseController(w.ResponseWriter).Flush(); err != nil {
			return err
		}
		if !Wait(w.Context, w.Every) {
			return w.Context.Err()
		}
	}
	return nil
}

// Unwrap lets [http.ResponseController] reach the writer inside.
func (w *Writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
