package aisdk_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// flushes records each write, and each flush as an empty write.
type flushes struct{ writes }

func (f *flushes) Flush() { f.writes = append(f.writes, "") }

func TestTheLinesOfAChunkAreWrittenInOneCallAndFlushed(t *testing.T) {
	t.Parallel()
	s := recordedStream{chunks: decodeChunks(t, chunkOf(`{"text":"A"}`), chunkOf(), stop)}
	var out flushes
	if _, err := aisdk.WriteStream(&out, s.all()); err != nil {
		t.Fatal(err)
	}
	want := writes{
		streamStart + "\n", "",
		`{"type":"text-start","id":"0"}` + "\n" + `{"type":"text-delta","id":"0","delta":"A"}` +
			"\n", "",
		`{"type":"text-end","id":"0"}` + "\n" + stopped + "\n", "",
	}
	if diff := cmp.Diff(want, out.writes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAWriterThatFailsEndsTheStream(t *testing.T) {
	t.Parallel()
	asked := false
	chunks := func(func(*geminiapi.GenerateContentResponse, error) bool) { asked = true }
	_, err := aisdk.WriteStream(failingWriter{io.ErrShortWrite}, chunks)
	if !errors.Is(err, io.ErrShortWrite) || !strings.HasPrefix(err.Error(), "aisdk: ") || asked {
		t.Errorf("%v; a chunk was asked for: %t", err, asked)
	}
}

func TestInvalidJSONIsATypedErrorAfterThePartsBeforeIt(t *testing.T) {
	t.Parallel()
	chunk := decodeChunks(t,
		chunkOf(`{"text":"A"}`, `{"toolResponse":{"id":"t","toolType":"X","response":{}}}`))[0]
	chunk.Candidates[0].Content.Parts[1].ToolResponse.Response = jsontext.Value("{")
	var out bytes.Buffer
	_, err := aisdk.WriteStream(&out,
		recordedStream{chunks: []*geminiapi.GenerateContentResponse{chunk}}.all())
	partError, ok := errors.AsType[*aisdkwire.PartError](err)
	if !ok || partError.Type != aisdkapi.PartTypeToolResult || partError.Pointer != "/result" {
		t.Errorf("%v", err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{`{"type":"tool-call"`, `{"type":"error"`, `{"type":"finish"`,
		""} {
		if got := lines[len(lines)-4+i]; !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// writes records each call of Write.
type writes []string

func (w *writes) Write(p []byte) (int, error) {
	*w = append(*w, string(p))
	return len(p), nil
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
