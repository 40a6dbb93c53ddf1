package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/gemwire/gemwire/internal/cli"
)

// endless are chunks that can be repeated without end. What a form has to say at its end grows with some of
// them in chat completions, which tell there how the turn was made of parts.
var endless = []struct {
	name, chunk string
	forms       []string
	most        int64 // that may stay of a chunk, in bytes
}{
	{"texts", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":%[1]d,"totalTokenCount":7}}`,
		[]string{"aisdk-stream", "normalized-stream"}, 4},
	{"texts, which a completion joins", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}}]}`, []string{"openai-stream"}, 50},
	{"thoughts and texts", `{"candidates":[{"content":{"role":"model","parts":[{"text":"hm %d","thought":true},{"text":"word"}]},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]}]}`,
		[]string{"aisdk-stream"}, 4},
	{"two candidates", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}},{"index":1,"content":{"role":"model","parts":[{"text":"another"}]}}]}`, []string{"aisdk-stream"}, 4},
	{"calls, whose ids are kept", `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":%d}}}]}}]}`, []string{"aisdk-stream"}, 100},
	{"calls in pieces", `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","id":"c%d","partialArgs":[{"jsonPath":"$.n","numberValue":1}]}}]}}]}`, []string{"aisdk-stream"}, 100},
	{"code", `{"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"%d"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}]}}]}`, []string{"aisdk-stream"}, 100},
}

// It measures the heap, so it does not run beside other tests.
func TestMemoryDoesNotGrowWithAStream(t *testing.T) {
	chunks := 100_000
	if testing.Short() {
		chunks = 10_000
	}
	for _, tt := range endless {
		for _, to := range tt.forms {
			body := &chunkSource{chunk: tt.chunk, left: chunks}
			if code := cli.Run(t.Context(), []string{"convert", "--from", "gemini-stream", "--to", to}, body, io.Discard, io.Discard); code != 0 {
				t.Fatalf("%s to %s ended with %d", tt.name, to, code)
			}
			const steady = 256 << 10
			if body.grown > steady+tt.most*int64(chunks) {
				t.Errorf("%s to %s: %d KB more after %d chunks", tt.name, to, body.grown>>10, chunks)
			}
		}
	}
}

// chunkSource is the body of a stream that repeats a chunk with a number in it.
type chunkSource struct {
	chunk         string
	buf           bytes.Buffer
	next, left    int
	before, grown int64
}

func (s *chunkSource) Read(p []byte) (int, error) {
	if s.buf.Len() == 0 {
		switch {
		case s.left > 0:
			fmt.Fprintf(&s.buf, "data: "+s.chunk+"\n\n", s.next)
		case s.left == 0:
			s.buf.WriteString(`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")
		default:
			return 0, io.EOF
		}
		if s.next == 1000 {
			s.before = liveHeap()
		}
		if s.left == 0 {
			s.grown = liveHeap() - s.before
		}
		s.next, s.left = s.next+1, s.left-1
	}
	return s.buf.Read(p)
}

func liveHeap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
