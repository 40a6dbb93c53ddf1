package gemini_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedStreamIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			body := payload.Read(t)
			want := recordedChunks(t, body)
			chunks, end := readAll(gemini.NewStreamReader(bytes.NewReader(body)))
			if len(chunks) != len(want.chunks) {
				t.Fatalf("got %d chunks, want %d; ended with %v", len(chunks), len(want.chunks),
					end)
			}
			for i, chunk := range chunks {
				if diff := cmp.Diff(want.chunks[i], exactTree(t, []byte(chunk.json))); diff != "" {
					t.Errorf("chunk %d (-want +got):\n%s", i, diff)
				}
			}
			if got := classify(t, end); got != want.end {
				t.Errorf("ended with %v, want %s", end, want.end)
			}
		})
	}
}

func TestEveryRecordedStreamReadsTheSameHoweverItIsSplit(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(payload.Name, func(t *testing.T) {
			t.Parallel()
			body := payload.Read(t)
			want, wantEnd := readAll(gemini.NewStreamReader(bytes.NewReader(body)))
			for split, r := range map[string]io.Reader{
				"1 byte":           iotest.OneByteReader(bytes.NewReader(body)),
				"7 bytes":          &splitReader{body, []byte{6}},
				"halves":           iotest.HalfReader(bytes.NewReader(body)),
				"EOF with data":    iotest.DataErrReader(bytes.NewReader(body)),
				"1, 2, 3, 5 bytes": &splitReader{body, []byte{0, 1, 2, 4}},
			} {
				got, end := readAll(gemini.NewStreamReader(r))
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(readChunk{})); diff != "" {
					t.Errorf("%s: chunks (-want +got):\n%s", split, diff)
				}
				if end.Error() != wantEnd.Error() {
					t.Errorf("%s: ended with %v, want %v", split, end, wantEnd)
				}
			}
		})
	}
}

// recording is the content of a body by a simple reader for files: no splits, no special cases,
// everything in memory.
type recording struct {
	chunks []any
	end    string
}

func recordedChunks(t *testing.T, body []byte) recording {
	t.Helper()
	out := recording{end: "truncated"}
	for _, text := range recordedTexts(t, body) {
		chunk, ok := exactTree(t, []byte(text)).(map[string]any)
		if !ok {
			t.Fatalf("not an object: %s", text)
		}
		if _, isError := chunk["error"]; isError {
			out.end = "error"
			break
		}
		if strings.Contains(text, `"finishReason":`) || strings.Contains(text, `"blockReason":`) {
			out.end = "finished"
		}
		out.chunks = append(out.chunks, chunk)
	}
	return out
}

// recordedTexts returns the elements of an array, or the text after "data:" that begins with a
// brace.
func recordedTexts(t *testing.T, body []byte) []string {
	t.Helper()
	var texts []string
	if bytes.HasPrefix(body, []byte("[")) {
		var elements []json.RawMessage
		if err := json.Unmarshal(body, &elements); err != nil {
			t.Fatal(err)
		}
		for _, element := range elements {
			texts = append(texts, string(element))
		}
		return texts
	}
	bare := ""
	for line := range strings.Lines(string(body)) {
		if text, ok := strings.CutPrefix(line, "data:"); ok {
			texts = append(texts, text)
		} else {
			bare += line
		}
	}
	if strings.TrimSpace(bare) != "" { // an error at the end
		texts = append(texts, bare)
	}
	return texts
}

func classify(t *testing.T, end error) string {
	t.Helper()
	reported, isReported := errors.AsType[*gemini.Error](end)
	switch {
	case end == io.EOF:
		return "finished"
	case errors.Is(end, wire.ErrTruncated):
		return "truncated"
	case isReported && reported.FromAPI() && reported.HTTPStatus >= 400 && reported.Status != "":
		return "error"
	default:
		return end.Error()
	}
}
