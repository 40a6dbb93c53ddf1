package responses_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/openaitest"
	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts the answers that tests share, and compares the response and the body of a stream of the same answer
// with files.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, p := range payloadtest.All()[:4] { // without the large image
		in, err := gemini.DecodeResponse(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := toresponses.FromGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		data, err := responses.EncodeResponse(out)
		if err != nil {
			t.Fatal(err)
		}
		whole := jsontext.Value(data)
		if err := whole.Indent(jsontext.PreserveRawStrings(true)); err != nil {
			t.Fatal(err)
		}
		sameAsFile(t, "testdata/"+p.Name+".golden.json", append(whole, '\n'))
	}
}

func TestStreamGolden(t *testing.T) {
	t.Parallel()
	request := &openaiapi.CreateResponseRequest{Tools: []openaiapi.ResponseTool{responses.CustomTool("patch", "Changes a file.")}}
	chunks := chunksOf(t,
		part(`{"text":"Look at the file.","thought":true}`),
		part(`{"functionCall":{"name":"patch","args":{"input":"*** Begin"}},"thoughtSignature":"QUJD"}`),
		part(`{"text":"The file "}`), part(`{"text":"is changed [1]."}`), part(`{"text":"","thoughtSignature":"REVG"}`),
		stop+`,"groundingMetadata":{"webSearchQueries":["patch"],"groundingChunks":[{"web":{"uri":"https://example.org","title":"Example"}}],`+
			`"groundingSupports":[{"segment":{"text":"is changed"},"groundingChunkIndices":[0]}]}`,
	)
	var body bytes.Buffer
	if _, err := toresponses.WriteStream(&body, openaitest.Pairs(chunks, nil), toresponses.WithRequest(request)); err != nil {
		t.Fatal(err)
	}
	sameAsFile(t, "testdata/stream.golden.sse", body.Bytes())
}

func sameAsFile(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}
