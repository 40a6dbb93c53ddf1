package eventstream

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Writer writes the body of a stream of server-sent events that have a name each. What was
// committed is written and flushed by one call of Send, if the writer below is one of net/http or
// has a method Flush. It is not safe for use by several goroutines.
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
	// usualSize holds what usually is written at once, the end of a stream included.
	usualSize = 2 << 10
	// maxKept is the size above which a buffer is not kept.
	maxKept = 256 << 10
)

// buffers has the buffers of writers whose stream has ended.
var buffers = sync.Pool{New: func() any { return new([usualSize]byte) }}

// NewWriter returns a writer to w for the wire of this name, such as "anthropic". It writes nothing
// yet.
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

// Ended reports whether the stream has ended, by End or by an error of the writer below.
func (w *Writer) Ended() bool { return w.ended }

// Begin returns the buffer with the beginning of an event of this name, to which its data are to be
// appended, without line breaks. A name that has one, or is empty, is left out. The event counts
// from Commit on.
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

// Commit ends the event that Begin began; dst is the result of Begin with the data appended.
func (w *Writer) Commit(dst []byte) { w.buf = append(dst, "\n\n"...) }

// largePiece is how much of a large event is written at once.
const largePiece = 64 << 10

// CommitLarge writes an event without a name, whose data are in three pieces, without copying the
// middle one as a whole. The end of the event is written by Send.
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

// End is Send for the last time.
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

// Send writes what was committed, and flushes.
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

// takeBuffer takes the buffer of an earlier writer, which spares most streams an allocation.
func (w *Writer) takeBuffer() {
	if w.pooled == nil {
		w.pooled = buffers.Get().(*[usualSize]byte)
	}
	w.buf = w.pooled[:0]
}
