package responses_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts the answers that tests share. It compares the response and the body of a
// stream of the same answer with files.
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

// TestGoldenOfPackageOpenAI converts the golden inputs of package transform/chat: NAME.gemini.json
// to NAME.golden.json, NAME.gemini.sse to NAME.golden.sse. The reports are in NAME.report.txt, and
// without extensions in NAME.plain.report.txt.
func TestGoldenOfPackageOpenAI(t *testing.T) {
	t.Parallel()
	for _, input := range inputsOf(t, "*.gemini.json") {
		in, err := gemini.DecodeResponse(contentOf(t, input))
		if err != nil {
			t.Fatal(err)
		}
		out, report, err := toresponses.FromGemini(in)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		data, err := responses.EncodeResponse(out)
		if err != nil {
			t.Fatal(err)
		}
		whole := jsontext.Value(data)
		if err := whole.Indent(jsontext.PreserveRawStrings(true)); err != nil {
			t.Fatal(err)
		}
		name := "testdata/" + strings.TrimSuffix(filepath.Base(input), ".gemini.json")
		sameAsFile(t, name+".golden.json", append(whole, '\n'))
		sameAsFile(t, name+".report.txt", lines(report))
		_, plain, err := toresponses.FromGemini(in, toresponses.WithoutExtensions())
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		sameAsFile(t, name+".plain.report.txt", lines(plain))
	}
	for _, input := range inputsOf(t, "*.gemini.sse") {
		wire, failure := openaitest.ReadStream(contentOf(t, input))
		var body bytes.Buffer
		report, err := toresponses.WriteStream(&body, openaitest.Pairs(wire, failure))
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		name := "testdata/" + strings.TrimSuffix(filepath.Base(input), ".gemini.sse")
		sameAsFile(t, name+".golden.sse", body.Bytes())
		sameAsFile(t, name+".stream.report.txt", lines(report))
		plain, err := toresponses.WriteStream(io.Discard, openaitest.Pairs(wire, failure),
			toresponses.WithoutExtensions())
		if err != nil {
			t.Errorf("%s: %v", input, err)
		}
		sameAsFile(t, name+".plain.stream.report.txt", lines(plain))
	}
}

func inputsOf(t *testing.T, pattern string) []string {
	t.Helper()
	inputs, err := filepath.Glob("../chat/testdata/" + pattern)
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	return inputs
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lines returns the entries of a report, one per line.
func lines(report report.Report) []byte {
	var out []byte
	for _, e := range report {
		out = append(append(out, e.String()...), '\n')
	}
	return out
}

func TestStreamGolden(t *testing.T) {
	t.Parallel()
	request := &openaiapi.CreateResponseRequest{Tools: []openaiapi.ResponseTool{responses.CustomTool("patch",
		"Changes a file.")}}
	chunks := chunksOf(t,
		part(`{"text":"Look at the file.","thought":true}`),
		part(`{"functionCall":{"name":"patch","args":{"input":"*** Begin"}},"thoughtSignature":"QUJD"}`),
		part(`{"text":"The file "}`), part(`{"text":"is changed [1]."}`),
		part(`{"text":"","thoughtSignature":"REVG"}`),
		stop+`,"groundingMetadata":{"webSearchQueries":["patch"],"groundingChunks":[{"web":{"uri":"https://example.org","title":"Example"}}],`+
			`"groundingSupports":[{"segment":{"text":"is changed"},"groundingChunkIndices":[0]}]}`,
	)
	var body bytes.Buffer
	if _, err := toresponses.WriteStream(&body, openaitest.Pairs(chunks, nil),
		toresponses.WithRequest(request)); err != nil {
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
