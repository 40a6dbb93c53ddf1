package eventstream

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Writer writes the body of a stream of server-sent events with names. Send writes all committed
// events in one call. It also flushes, if the writer below is a writer of net/http or has a method
// Flush. A Writer is not safe for concurrent use.
//
//	dst, err := appendJSON(w.Begin("ping"), v)
//	if err == nil {
//		w.Commit(dst)
//		err = w.Send()
//	}
type Writer struct {
	w      io.Writer
	of     string
	flush  func() error
	buf    []byte           // what is to be written next; reused
	pooled *[usualSize]byte // of buf, as long as it is enough
	ended  bool
}

const (
	// usualSize is the size of a usual write, with the end of a stream.
	usualSize = 2 << 10
	// maxKept is the maximum size of a buffer that is kept.
	maxKept = 256 << 10
)

// buffers has the buffers of writers whose stream has ended.
var buffers = sync.Pool{New: func() any { return new([usualSize]byte) }}

// NewWriter returns a writer to w for the API with this name, such as "anthropic". It does not
// write yet.
func NewWriter(w io.Writer, of string) Writer {
	return Writer{w: w, of: of, flush: flusher(w)}
}

func flusher(w io.Writer) func() error {
	switch f := w.(type) {
	case http.ResponseWriter:
		return http.NewResponseController(f).Flush
	case interface{ Flush() error }:
		return f.Flush
	case http.Flusher:
		return func() error { f.Flush(); return nil }
	default:
		return func() error { return nil }
	}
}

// Ended reports whether End or an error of the writer below has ended the stream.
func (w *Writer) Ended() bool { return w.ended }

// Begin returns the buffer with the beginning of an event with this name. Append the data without
// line breaks. Begin leaves out an empty name or a name with a line break. The event counts after
// Commit.
func (w *Writer) Begin(name string) []byte {
	if w.buf == nil {
		w.takeBuffer()
	}
	dst := w.buf
	if name != "" && !strings.ContainsAny(name, "\r\n") {
		dst = append(append(append(dst, "event: "...), name...), '\n')
	}
	return append(dst, "data: "...)
}

// Commit ends the event that Begin began. dst is the result of Begin with the data appended.
func (w *Writer) Commit(dst []byte) { w.buf = append(dst, "\n\n"...) }

// largePiece is the number of bytes of a large event that are written at once.
const largePiece = 64 << 10

// CommitLarge writes an event without a name. Its data is in three pieces, and the middle piece is
// not copied as a whole. Send writes the end of the event.
func (w *Writer) CommitLarge(head []byte, data string, tail []byte) error {
	w.buf = append(w.Begin(""), head...)
	for len(data) > 0 {
		n := min(len(data), largePiece)
		w.buf = append(w.buf, data[:n]...)
		data = data[n:]
		if err := w.write(); err != nil {
			return err
		}
	}
	if w.buf == nil {
		w.takeBuffer()
	}
	w.Commit(append(w.buf, tail...))
	return nil
}

// End is the last Send.
func (w *Writer) End() error {
	err := w.Send()
	w.ended = true
	w.buf = nil
	if w.pooled != nil {
		buffers.Put(w.pooled)
		w.pooled = nil
	}
	return err
}

// Send writes the committed events, and flushes.
func (w *Writer) Send() error {
	if len(w.buf) == 0 {
		return nil
	}
	if err := w.write(); err != nil {
		return err
	}
	if err := w.flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("%s: flush stream: %w", w.of, err)
	}
	return nil
}

// write writes the buffer.
func (w *Writer) write() error {
	_, err := w.w.Write(w.buf)
	switch isSmall := len(w.buf) <= usualSize; {
	case cap(w.buf) > maxKept:
		w.buf = nil
	case isSmall && cap(w.buf) > usualSize: // once there was more
		w.buf = w.pooled[:0]
	default:
		w.buf = w.buf[:0]
	}
	if err != nil {
		w.ended = true
		return fmt.Errorf("%s: write stream: %w", w.of, err)
	}
	return nil
}

// takeBuffer takes the buffer of an earlier writer. Most streams then need no new buffer.
func (w *Writer) takeBuffer() {
	if w.pooled == nil {
		w.pooled = buffers.Get().(*[usualSize]byte)
	}
	w.buf = w.pooled[:0]
}
