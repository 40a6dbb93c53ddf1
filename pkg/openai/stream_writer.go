package openai

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// StreamWriter writes the body of a streamed completion: server-sent events with a chunk each. What
// one call writes is flushed at its end if the writer below is one of net/http, or has a method
// Flush. It is not safe for use by several goroutines.
type StreamWriter struct {
	w     io.Writer
	flush func() error
	buf   []byte           // what is to be written next; reused
	room  *[usualSize]byte // of buf, as long as it is enough
	ended bool
}

// usualSize has room for what usually is written at once, the end of a stream included.
const usualSize = 2 << 10

// rooms are those of writers whose stream has ended.
var rooms = sync.Pool{New: func() any { return new([usualSize]byte) }}

// errEnded is what writing more returns behind the end.
var errEnded = errors.New("openai: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer) *StreamWriter {
	return &StreamWriter{w: w, flush: flusher(w)}
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

// Write writes an event for each of the chunks. The error is that of the writer below, or an
// *[wire.EncodeError] for a chunk that cannot be written as JSON, of which nothing is written.
func (w *StreamWriter) Write(chunks ...openaiapi.CreateChatCompletionStreamResponse) error {
	if w.ended {
		return errEnded
	}
	for i := range chunks {
		if err := w.event(&chunks[i]); err != nil {
			return cmp.Or(w.send(), err)
		}
	}
	return w.send()
}

// Done ends the body of a stream that came to its end, with [DONE].
func (w *StreamWriter) Done() error { return w.end([]byte(eventstream.DoneMark)) }

// Fail ends the body of a stream that failed, with the error object in place of [DONE].
func (w *StreamWriter) Fail(body *openaiapi.ErrorResponse) error {
	data, err := EncodeErrorResponse(body)
	if err != nil {
		return err
	}
	return w.end(data)
}

func (w *StreamWriter) end(data []byte) error {
	if w.ended {
		return errEnded
	}
	w.ended = true
	w.buf = append(append(append(w.buf, eventStart...), data...), eventEnd...)
	err := w.send()
	w.release()
	return err
}

// takeRoom gives the buffer the room of a writer before it, which spares most streams an allocation.
func (w *StreamWriter) takeRoom() {
	if w.room == nil {
		w.room = rooms.Get().(*[usualSize]byte)
	}
	w.buf = w.room[:0]
}

// release gives the room to the next writer.
func (w *StreamWriter) release() {
	w.buf = nil
	if w.room != nil {
		rooms.Put(w.room)
		w.room = nil
	}
}

var eventStart, eventEnd = []byte("data: "), []byte("\n\n")

// event puts the event of a chunk into the buffer; large data of it are written at once.
func (w *StreamWriter) event(c *openaiapi.CreateChatCompletionStreamResponse) error {
	if data := dataOf(c); len(data) >= largeData && needsNoEscape(data) {
		without := withoutData(c)
		rest, err := EncodeChunk(&without)
		if err == nil && bytes.Count(rest, []byte(dataMark)) == 1 {
			head, tail, _ := bytes.Cut(rest, []byte(dataMark))
			return w.largeEvent(head, data, tail)
		}
	}
	if w.buf == nil {
		w.takeRoom()
	}
	before := len(w.buf)
	var err error
	w.buf = append(w.buf, eventStart...)
	if w.buf, err = AppendChunk(w.buf, c); err != nil {
		w.buf = w.buf[:before]
		return err
	}
	w.buf = append(w.buf, eventEnd...)
	return nil
}

// largeData is the length from which data are worth the trouble of leaving them out.
const largeData = 64 << 10

// dataMark stands for the data that are left out of a chunk meanwhile.
const dataMark = "gemwire:left-out"

// dataOf returns the data of the image or the sound that a chunk tells, "" if it tells none.
func dataOf(c *openaiapi.CreateChatCompletionStreamResponse) string {
	if len(c.Choices) != 1 {
		return ""
	}
	delta := &c.Choices[0].Delta
	switch {
	case delta.Audio == nil && len(delta.Images) == 1 && delta.Images[0].ImageURL != nil:
		_, data, _ := delta.Images[0].ImageURL.URL.Inline()
		return data
	case delta.Audio != nil:
		return jsonx.Deref(delta.Audio.Data)
	default:
		return ""
	}
}

// withoutData returns a copy of a chunk with the mark in place of the data that dataOf returns.
func withoutData(c *openaiapi.CreateChatCompletionStreamResponse) openaiapi.CreateChatCompletionStreamResponse {
	choice := c.Choices[0]
	if delta := &choice.Delta; delta.Audio == nil {
		image, url := delta.Images[0], *delta.Images[0].ImageURL
		mimeType, _, _ := url.URL.Inline()
		url.URL = wiretype.InlineMedia(mimeType, dataMark)
		image.ImageURL = &url
		delta.Images = []openaiapi.ContentPart{image}
	} else {
		audio := *delta.Audio
		audio.Data = new(dataMark)
		delta.Audio = &audio
	}
	out := *c
	out.Choices = []openaiapi.ChunkChoice{choice}
	return out
}

// largeEvent writes an event without ever copying its data as a whole.
func (w *StreamWriter) largeEvent(head []byte, data string, tail []byte) error {
	w.buf = append(append(w.buf, eventStart...), head...)
	for len(data) > 0 {
		n := min(len(data), largeData)
		w.buf = append(w.buf, data[:n]...)
		data = data[n:]
		if err := w.write(); err != nil {
			return err
		}
	}
	w.buf = append(append(w.buf, tail...), eventEnd...)
	return nil
}

// send writes what is in the buffer, and flushes.
func (w *StreamWriter) send() error {
	if len(w.buf) == 0 {
		return nil
	}
	if err := w.write(); err != nil {
		return err
	}
	if err := w.flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("openai: flush stream: %w", err)
	}
	return nil
}

func (w *StreamWriter) write() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	if cap(w.buf) > 4*largeData {
		w.buf = nil
	}
	if err != nil {
		w.ended = true
		return fmt.Errorf("openai: write stream: %w", err)
	}
	return nil
}

// needsNoEscape reports whether a text stands in JSON as it is, as base64 does.
func needsNoEscape(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
