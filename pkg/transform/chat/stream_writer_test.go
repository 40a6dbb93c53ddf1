package chat_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

var textAndStop = []string{
	`{"responseId":"r","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
	`{"candidates":[{"finishReason":"STOP"}]}`,
}

func TestABodyIsAnEventForEachChunkAndAnEnd(t *testing.T) {
	t.Parallel()
	const frame = `data: {"id":"r","object":"chat.completion.chunk","created":0,"model":"m","choices":[`
	got, _, err := body(t, openaitest.DecodeAll(t, textAndStop), nil, chat.WithUsage(),
		chat.WithoutExtensions())
	want := frame + `{"index":0,"delta":{"role":"assistant","content":"a"},"finish_reason":null}]}` +
		"\n\n" +
		frame + `{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n" +
		frame + `],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}` + "\n\n" +
		"data: [DONE]\n\n"
	if err != nil || got != want {
		t.Errorf("%v:\n%s\nwant\n%s", err, got, want)
	}
}

// flushing records what was written at each flush.
type flushing struct {
	strings.Builder
	flushed []string
}

func (w *flushing) Flush() { w.flushed = append(w.flushed, w.String()); w.Reset() }

type failingFlush struct{ strings.Builder }

func (*failingFlush) Flush() error { return io.ErrClosedPipe }

// The client has each event before the next chunk is read.
func TestEachChunkIsFlushedBeforeTheNextIsRead(t *testing.T) {
	t.Parallel()
	var w flushing
	at := 0
	chunks := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, text := range []string{"a", "b", "c"} {
			if !yield(openaitest.Decode(t,
				`{"candidates":[{"content":{"parts":[{"text":"`+text+
					`"}]},"finishReason":"STOP"}]}`), nil) {
				return
			}
			if at++; len(w.flushed) != at ||
				!strings.Contains(w.flushed[at-1], `"content":"`+text+`"`) {
				t.Errorf("flushed so far: %q", w.flushed)
			}
		}
	}
	if _, err := chat.WriteStream(&w, chunks); err != nil {
		t.Fatal(err)
	}
	if n := len(w.flushed); n != 5 || w.flushed[4] != "data: [DONE]\n\n" || w.String() != "" {
		t.Errorf("flushed: %q, and %q is left", w.flushed, w.String())
	}
}

func TestEveryKindOfFlusherIsFlushed(t *testing.T) {
	t.Parallel()
	wire := openaitest.DecodeAll(t, textAndStop)
	var out strings.Builder
	buffered := bufio.NewWriterSize(&out, 1<<20)
	if _, err := chat.WriteStream(buffered, openaitest.Pairs(wire, nil)); err != nil ||
		!strings.HasSuffix(out.String(), "[DONE]\n\n") {
		t.Errorf("%v, %q", err, out.String())
	}

	recorder := httptest.NewRecorder()
	wrapped := struct{ http.ResponseWriter }{recorder} // a middleware's
	if _, err := chat.WriteStream(unwrapping{wrapped}, openaitest.Pairs(wire, nil)); err != nil ||
		!recorder.Flushed {
		t.Errorf("%v, flushed: %v", err, recorder.Flushed)
	}
	if _, err := chat.WriteStream(wrapped, openaitest.Pairs(wire, nil)); err != nil {
		t.Errorf("a response that cannot be flushed: %v", err)
	}

	if _, err := chat.WriteStream(&failingFlush{}, openaitest.Pairs(wire, nil)); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Errorf("the error is %v", err)
	}
}

type unwrapping struct{ w struct{ http.ResponseWriter } }

func (u unwrapping) Header() http.Header         { return u.w.Header() }
func (u unwrapping) Write(p []byte) (int, error) { return u.w.Write(p) }
func (u unwrapping) WriteHeader(status int)      { u.w.WriteHeader(status) }
func (u unwrapping) Unwrap() http.ResponseWriter { return u.w.ResponseWriter }

// limited fails once after a number of writes.
type limited struct{ writes int }

func (w *limited) Write(p []byte) (int, error) {
	w.writes--
	if w.writes == -1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestNothingIsWrittenAfterAnErrorOfTheWriter(t *testing.T) {
	t.Parallel()
	below := &limited{writes: 1}
	w := openai.NewStreamWriter(below)
	if err := w.Write(chunk{}); err != nil {
		t.Error(err)
	}
	if err := w.Write(chunk{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the error is %v", err)
	}
	if w.Write(chunk{}) == nil || w.Done() == nil || w.Fail(&openaiapi.ErrorResponse{}) == nil ||
		below.writes != -1 {
		t.Errorf("%d more writes", -1-below.writes)
	}
}

func TestAClientThatIsGoneEndsTheStream(t *testing.T) {
	t.Parallel()
	read := 0
	chunks := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for yield(openaitest.Decode(t, `{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`),
			nil) {
			read++
		}
	}
	_, err := chat.WriteStream(&limited{writes: 2}, chunks)
	if !errors.Is(err, io.ErrClosedPipe) || read != 2 {
		t.Errorf("%v after %d chunks", err, read)
	}
	if _, err := chat.WriteStream(&limited{writes: 2},
		openaitest.Pairs(openaitest.DecodeAll(t, textAndStop), nil)); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Errorf("the end: %v", err)
	}
	image := openaitest.Decode(t, largeImage(1<<20))
	if _, err := chat.WriteStream(&limited{writes: 3},
		openaitest.Pairs([]*geminiapi.GenerateContentResponse{image}, nil)); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Errorf("a large event: %v", err)
	}
}

func TestAClientThatIsGoneDoesNotHideWhyTheStreamFailed(t *testing.T) {
	t.Parallel()
	wire := openaitest.DecodeAll(t, textAndStop[:1])
	_, err := chat.WriteStream(&limited{writes: 1}, openaitest.Pairs(wire, io.ErrUnexpectedEOF))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the error is %v", err)
	}
}

func TestAChunkThatIsNotJSONIsAnError(t *testing.T) {
	t.Parallel()
	chunks := openaitest.DecodeAll(t, textAndStop)
	chunks[1].Candidates[0].Unknown = jsontext.Value(`{"a":nope}`)
	written, _, err := body(t, chunks, nil)
	if _, ok := errors.AsType[*wire.EncodeError](err); !ok {
		t.Errorf("the error is %v", err)
	}
	if strings.Contains(written, "[DONE]") ||
		!strings.HasSuffix(written, `data: {"error":{"message":"openai: completion: `+
			`/choices/0/delta/extra_content/google/candidate/a: not JSON","type":"server_error","param":null,"code":null}}`+
			"\n\n") {
		t.Errorf("the body is %s", written)
	}
}

func TestNothingIsWrittenAfterTheEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*openai.StreamWriter) error{
		"done":   func(w *openai.StreamWriter) error { return w.Done() },
		"failed": func(w *openai.StreamWriter) error { return w.Fail(&openaiapi.ErrorResponse{}) },
	} {
		var out strings.Builder
		w := openai.NewStreamWriter(&out)
		if err := errors.Join(w.Write(), end(w)); err != nil {
			t.Error(err)
		}
		before := out.String()
		if w.Write(chunk{}) == nil || w.Done() == nil ||
			w.Fail(&openaiapi.ErrorResponse{}) == nil || out.String() != before {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// Error messages may contain any text.
func TestAnErrorIsAlwaysWritten(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	_, body := chat.FromError(errors.New("not \xff UTF-8\n\n"))
	if err := openai.NewStreamWriter(&out).Fail(body); err != nil {
		t.Fatal(err)
	}
	if want := `data: {"error":{"message":"not ` + "\uFFFD" +
		` UTF-8\n\n","type":"server_error","param":null,"code":null}}` +
		"\n\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

// Free-form values may contain line ends, which would end the event.
func TestAnEventIsOneLine(t *testing.T) {
	t.Parallel()
	wire := openaitest.DecodeAll(t,
		[]string{"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\",\"partMetadata\":{\"x\":\n[1,\r\n2]}}," +
			"{\"functionCall\":{\"name\":\"f\",\"args\":{\n\"y\":\r1}}}]},\"finishReason\":\"STOP\",\"newMember\":{\n}}]}"})
	written, _, err := body(t, wire, nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(written) {
		if line != "\n" && !strings.HasPrefix(line, "data: ") || strings.Contains(line, "\r") {
			t.Errorf("the line %q", line)
		}
	}
}

func largeImage(size int) string {
	return `{"responseId":"r","modelVersion":"m","candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"` +
		strings.Repeat("iVBORw0K", size/8) + `"}}]},"finishReason":"STOP"}]}`
}

func TestALargeEventIsTheSameAsASmallOne(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("iVBORw0K", 20<<10)
	for name, c := range map[string]chunk{
		"an image":               imageChunk(large),
		"a sound":                {Choices: []openaiapi.ChunkChoice{{Delta: openaiapi.Delta{Audio: &openaiapi.MessageAudio{ID: new("a"), Data: &large}}}}},
		"a small image":          imageChunk("AAAA"),
		"data that need escapes": imageChunk(large + `"` + large),
		"data of no size":        imageChunk(""),
		"two images": func() chunk {
			c := imageChunk(large)
			c.Choices[0].Delta.Images = append(c.Choices[0].Delta.Images,
				c.Choices[0].Delta.Images[0])
			return c
		}(),
		"the mark elsewhere": func() chunk { c := imageChunk(large); c.ID = "gemwire:left-out"; return c }(),
		"an address":         {Choices: []openaiapi.ChunkChoice{{Delta: openaiapi.Delta{Images: []openaiapi.ContentPart{{Type: "image_url"}}}}}},
	} {
		var out bytes.Buffer
		if err := openai.NewStreamWriter(&out).Write(imageChunk("BBBB"), c,
			imageChunk("CCCC")); err != nil {
			t.Fatal(err)
		}
		first, last := imageChunk("BBBB"), imageChunk("CCCC")
		want := "data: " + encodeChunk(t, &first) + "\n\ndata: " + encodeChunk(t, &c) +
			"\n\ndata: " + encodeChunk(t, &last) + "\n\n"
		if out.String() != want {
			t.Errorf("%s: got %d bytes, want %d", name, out.Len(), len(want))
		}
	}
}

func imageChunk(data string) chunk {
	in, _ := gemini.DecodeResponse([]byte(`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":""}}]}}]}`))
	in.Candidates[0].Content.Parts[0].InlineData.Data = &data
	out, _ := chat.NewStream().Push(in)
	return out[0]
}

// Streams share their memory, one after the other.
func TestStreamsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	const call = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"%s","args":{"a":"%[1]s"}}}]}}]}`
	var group sync.WaitGroup
	for worker := range 8 {
		name := strings.Repeat(string(rune('a'+worker)), 3000)
		bodies := []string{
			`{"responseId":"` + name +
				`","modelVersion":"m","candidates":[{"content":{"parts":[{"text":"` + name +
				`"}]}}]}`,
			fmt.Sprintf(call, name),
			`{"candidates":[{"index":1,"content":{"parts":[{"text":"` + name +
				`"}]},"finishReason":"STOP"}]}`,
			`{"candidates":[{"finishReason":"STOP"}]}`,
		}
		wire := openaitest.DecodeAll(t, bodies)
		var want strings.Builder
		w := openai.NewStreamWriter(&want)
		for c, err := range chat.NewStream().Chunks(openaitest.Pairs(wire, nil)) {
			if err != nil || w.Write(c) != nil {
				t.Fatal(err)
			}
		}
		if err := w.Done(); err != nil {
			t.Fatal(err)
		}
		group.Go(func() {
			for round := range 50 {
				cut := round%3 == 0 // a failed stream must leave nothing for the next one either
				var got strings.Builder
				var failure error
				if cut {
					failure = io.ErrUnexpectedEOF
				}
				_, err := chat.WriteStream(&got, openaitest.Pairs(wire, failure))
				if cut != (err != nil) || !cut && got.String() != want.String() {
					t.Errorf("worker %d, round %d: %v", worker, round, err)
				}
			}
		})
	}
	group.Wait()
}
