package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
)

// endless are chunks that can be repeated without end. Some of them make the end of a chat
// completion longer, because it describes the parts of the turn. Each loss makes the report longer.
var endless = []struct {
	name, chunk string
	forms       []string
	most        int64 // that may stay of a chunk, in bytes
	loses       bool  // something of each chunk, which is counted at the end
}{
	{"texts", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":%[1]d,"totalTokenCount":7}}`,
		[]string{"aisdk-stream", "normalized-stream"}, 4, false},
	{"texts, which a completion joins", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}}]}`, []string{"openai-stream"}, 50, false},
	{"thoughts and texts",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"hm %d","thought":true},{"text":"word"}]},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]}]}`,
		[]string{"aisdk-stream"}, 4, false},
	{"counts that grow",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"word "}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":%[1]d,"totalTokenCount":1%[1]d},"responseId":"r","modelVersion":"m"}`,
		allForms, 4, false},
	{"details of counts",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"word "}]}}],"usageMetadata":{"totalTokenCount":7,"trafficType":"ON_DEMAND","promptTokensDetails":[{"modality":"TEXT","tokenCount":%d}]}}`,
		allForms, 4, false},
	{"counts in each second chunk",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"word "}]}}],"usageMetadata":{"totalTokenCount":%d}}` +
			"\n\ndata: " + `{"candidates":[{"content":{"parts":[{"text":"word "}]}}]}`,
		allForms, 24, false},
	{"ratings", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word "}]},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probabilityScore":0.%d}]}]}`,
		allForms, 4, false},
	{"grounding", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word "}]},"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<%d>"},"webSearchQueries":["one"],"groundingChunks":[{"web":{"uri":"https://a.example"}}]}}]}`,
		allForms, 4, false},
	{"changing thoughts",
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"hm %d","thought":true}]}}],"usageMetadata":{"thoughtsTokenCount":%[1]d,"totalTokenCount":%[1]d}}`,
		allForms, 16, false},
	{"ratings and authors at uneven distances", uneven(
		`{"content":{"role":"model","parts":[{"text":"word "}]},"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probabilityScore":0.%[1]d}]}`,
		`{"content":{"parts":[{"text":"word "}]}}`,
		// eight chunks; joining their text takes at most twice its size
		`{"content":{"role":"user","parts":[{"text":"word "}]},"finishMessage":"%[1]d"}`), allForms,
		80, false},
	{"two candidates", `{"candidates":[{"content":{"role":"model","parts":[{"text":"word %d "}]}},{"index":1,"content":{"role":"model","parts":[{"text":"another"}]}}]}`, []string{"aisdk-stream"}, 4, true},
	{"calls, of whose ids hashes are kept", endlessCalls, []string{"aisdk-stream"}, 48, false},
	{"calls in pieces", `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","id":"c%d","partialArgs":[{"jsonPath":"$.n","numberValue":1}]}}]}}]}`, []string{"aisdk-stream"}, 48, false},
	{"calls, of which a completion keeps the places and hashes of the ids", endlessCalls, []string{"openai-stream"}, 115, false},
	{"calls, of which a plain completion keeps hashes of the ids", endlessCalls, []string{plainCompletion}, 48, false},
	{"all kinds of parts, of which a completion keeps the places and hashes of ids", endlessParts, []string{"openai-stream"}, 290, false},
	{"all kinds of parts, of which a plain completion keeps the text and hashes of ids", endlessParts, []string{plainCompletion}, 98, true},
	{"code", `{"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"%d"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}]}}]}`, []string{"aisdk-stream"}, 48, false},
}

const plainCompletion = "openai-stream --no-extensions"

const (
	endlessCalls = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":%d}}}]}}]}`
	endlessParts = `{"candidates":[{"content":{"role":"model","parts":[{"text":"hm %d","thought":true},{"text":"word "},{"functionCall":{"name":"f","args":{"n":%[1]d}}}]}}]}`
)

// uneven returns chunks in which no two distances between candidates are equal.
func uneven(often, seldom, last string) string {
	var chunks []string
	for _, candidate := range []string{often, often, seldom, often, last, seldom, seldom, often} {
		chunks = append(chunks, `{"candidates":[`+candidate+`]}`)
	}
	return strings.Join(chunks, "\n\ndata: ")
}

var allForms = []string{"aisdk-stream", "gemini-stream", "normalized-stream", "openai-stream"}

// It measures the heap, so it does not run in parallel with other tests.
func TestMemoryDoesNotGrowWithAStream(t *testing.T) {
	chunks := 30_000
	if testing.Short() {
		chunks = 10_000
	}
	for _, tt := range endless {
		for _, to := range tt.forms {
			body := &chunkSource{chunk: tt.chunk, left: chunks}
			if code := cli.Run(t.Context(),
				append([]string{"convert", "--from", "gemini-stream", "--to"},
					strings.Fields(to)...), body, io.Discard, io.Discard); code != 0 {
				t.Fatalf("%s to %s ended with %d", tt.name, to, code)
			}
			const steady = 256 << 10
			if body.grown > steady+tt.most*int64(chunks) {
				t.Errorf("%s to %s: %d KB more after %d chunks", tt.name, to, body.grown>>10,
					chunks)
			}
			if end := int64(memory().TotalAlloc) - body.allocated; tt.most <= 24 && !tt.loses &&
				end > 2*steady {
				t.Errorf("%s to %s: %d KB for the end after %d chunks", tt.name, to, end>>10,
					chunks)
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
	allocated     int64 // up to the end of the body
}

func (s *chunkSource) Read(p []byte) (int, error) {
	if s.buf.Len() == 0 {
		switch {
		case s.left > 0:
			fmt.Fprintf(&s.buf, "data: "+s.chunk+"\n\n", s.next)
		case s.left == 0:
			s.buf.WriteString(`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")
		default:
			s.allocated = int64(memory().TotalAlloc)
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
	return int64(memory().HeapAlloc)
}

func memory() (stats runtime.MemStats) {
	runtime.ReadMemStats(&stats)
	return stats
}
