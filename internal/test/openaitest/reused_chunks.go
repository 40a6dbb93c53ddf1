package openaitest

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
)

// WriteStream converts a stream, like the functions with this name in the form packages.
type WriteStream func(io.Writer,
	iter.Seq2[*geminiapi.GenerateContentResponse, error]) (report.Report, error)

// WithOptions returns a function that converts streams with options.
func WithOptions[O any](
	convert func(io.Writer, iter.Seq2[*geminiapi.GenerateContentResponse, error],
		...O) (report.Report, error), opts ...O,
) WriteStream {
	return func(w io.Writer,
		chunks iter.Seq2[*geminiapi.GenerateContentResponse, error]) (report.Report, error) {
		return convert(w, chunks, opts...)
	}
}

// changing is a stream of chunks with pieces of text. All other members change between the chunks.
var changing = []byte("data: " + strings.Join([]string{
	`{"candidates":[{"content":{"parts":[{"text":"I think. ","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}`,
	`{"candidates":[{"content":{"parts":[{"text":"So I am.","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m","responseId":"r"}`,
	`{"candidates":[{"content":{"parts":[{"text":"One "}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4},"modelVersion":"m2","responseId":"r2","createTime":"2026-01-02T03:04:05Z"}`,
	`{"candidates":[{"content":{"parts":[{"text":"other"}],"role":"user"},"index":1}],"modelVersion":"m","responseId":"r"}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"c2ln"}],"role":"model"},"index":0}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"two."}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}`,
	`{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"index":1}]}`,
	`{"candidates":[{"finishReason":"STOP","index":0},{"finishReason":"STOP","index":1}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5}}`,
}, "\n\ndata: ") + "\n\n")

// CompareReusedChunks converts streams twice: with chunks that reuse their memory, and with chunks
// that are kept. Both results must be equal. It also uses the recorded streams.
func CompareReusedChunks(t *testing.T, convert WriteStream) {
	t.Helper()
	compareReusedChunks(t, "a text", payloadtest.TextStream(20), convert)
	compareReusedChunks(t, "one that changes", changing, convert)
	t.Run("recorded", func(t *testing.T) {
		for _, p := range corpustest.Payloads(t, corpustest.Stream) {
			compareReusedChunks(t, p.Name, p.Read(t), convert)
		}
	})
}

func compareReusedChunks(t *testing.T, name string, body []byte, convert WriteStream) {
	t.Helper()
	written := func(opts ...gemini.StreamOption) string {
		var out strings.Builder
		report, err := convert(&out, gemini.NewStreamReader(bytes.NewReader(body), opts...).All())
		for _, entry := range report {
			out.WriteString(entry.String() + "\n")
		}
		if err != nil {
			out.WriteString(err.Error())
		}
		return out.String()
	}
	if diff := cmp.Diff(written(), written(gemini.WithReusedChunks())); diff != "" {
		t.Errorf("%s: (-kept +reused)\n%s", name, diff)
	}
}
