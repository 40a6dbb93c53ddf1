package openai

import (
	"bytes"
	"cmp"
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/eventstream"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// StreamWriter writes the body of a streamed completion: server-sent events with one chunk each.
// Each call flushes at its end if the underlying writer is from net/http or has a method Flush. It
// is not safe for use by several goroutines.
type StreamWriter struct {
	out eventstream.Writer
}

// errEnded is returned by writes after the end.
var errEnded = errors.New("openai: the stream has ended")

// NewStreamWriter returns a writer to w. It writes nothing yet.
func NewStreamWriter(w io.Writer) *StreamWriter {
	return &StreamWriter{out: eventstream.NewWriter(w, "openai")}
}

// Write writes an event for each of the chunks. It returns the error of the underlying writer. If a
// chunk cannot be written as JSON, it returns an *[wire.EncodeError] and writes nothing of that
// chunk.
func (w *StreamWriter) Write(chunks ...openaiapi.CreateChatCompletionStreamResponse) error {
	if w.out.Ended() {
		return errEnded
	}
	for i := range chunks {
		if err := w.event(&chunks[i]); err != nil {
			return cmp.Or(w.out.Send(), err)
		}
	}
	return w.out.Send()
}

// Done ends the body of a complete stream with [DONE].
func (w *StreamWriter) Done() error { return w.end([]byte(eventstream.DoneMark)) }

// Fail ends the body of a failed stream with the error object instead of [DONE].
func (w *StreamWriter) Fail(body *openaiapi.ErrorResponse) error {
	data, err := EncodeErrorResponse(body)
	if err != nil {
		return err
	}
	return w.end(data)
}

func (w *StreamWriter) end(data []byte) error {
	if w.out.Ended() {
		return errEnded
	}
	w.out.Commit(append(w.out.Begin(""), data...))
	return w.out.End()
}

// event puts the event of a chunk into the buffer. It writes large data at once.
func (w *StreamWriter) event(c *openaiapi.CreateChatCompletionStreamResponse) error {
	if data := dataOf(c); len(data) >= largeData && needsNoEscape(data) {
		without := withoutData(c)
		rest, err := EncodeChunk(&without)
		if err == nil && bytes.Count(rest, []byte(dataMark)) == 1 {
			head, tail, _ := bytes.Cut(rest, []byte(dataMark))
			return w.out.CommitLarge(head, data, tail)
		}
	}
	dst, err := AppendChunk(w.out.Begin(""), c)
	if err == nil {
		w.out.Commit(dst)
	}
	return err
}

// largeData is the minimum length of data that are written separately.
const largeData = 64 << 10

// dataMark is a placeholder for the omitted data of a chunk.
const dataMark = "gemwire:left-out"

// dataOf returns the data of the image or the sound in a chunk, or "".
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

// withoutData returns a copy of a chunk with the mark instead of the data that dataOf returns.
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

// needsNoEscape reports whether a text needs no escapes in JSON, like base64.
func needsNoEscape(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
