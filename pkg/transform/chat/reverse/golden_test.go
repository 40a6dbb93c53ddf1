package reverse_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gocmp "github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts each NAME.chat.json of testdata, modeled after real servers. It compares the
// answer and the report with NAME.golden.json. Each value is in the answer or the report.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, input := range inputsOf(t, "testdata/*.chat.json") {
		document := read(t, input)
		name := strings.TrimSuffix(input, ".chat.json")
		answer, report, err := convert(document)
		if err != nil {
			t.Errorf("%s: %v", input, err)
			continue
		}
		checkPointers(t, input, document, report)
		checkLeaves(t, input, document, 1<<30)
		sameAsFile(t, name+".golden.json", []jsontext.Value{answer}, report)
	}
}

// TestGoldenStreams does the same for each NAME.chat.sse, with the chunks in one list.
func TestGoldenStreams(t *testing.T) {
	t.Parallel()
	for _, input := range inputsOf(t, "testdata/*.chat.sse") {
		s := convertStream(read(t, input))
		if s.err != nil {
			t.Errorf("%s: %v", input, s.err)
		}
		var chunks []jsontext.Value
		for line := range strings.Lines(encoded(t, s.chunks)) {
			chunks = append(chunks, jsontext.Value(strings.TrimSpace(line)))
		}
		sameAsFile(t, strings.TrimSuffix(input, ".chat.sse")+".stream.golden.json", chunks,
			s.report)
	}
}

// TestGoldenWithOptions converts a stream and a completion with each option that omits something.
func TestGoldenWithOptions(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]reverse.Option{"without_thoughts": reverse.WithoutThoughts(),
		"losses_only": reverse.WithLossesOnly()} {
		answer, report, err := convert(read(t, "testdata/openrouter.chat.json"), option)
		if err != nil {
			t.Fatal(err)
		}
		s := convertStream(read(t, "testdata/pieces.chat.sse"), option)
		if s.err != nil {
			t.Fatal(s.err)
		}
		sameAsFile(t, "testdata/openrouter."+name+".golden.json", []jsontext.Value{answer}, report)
		sameAsFile(t, "testdata/pieces."+name+".golden.json", nil, s.report)
	}
}

func inputsOf(t *testing.T, pattern string) []string {
	t.Helper()
	inputs, err := filepath.Glob(pattern)
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	return inputs
}

// sameAsFile compares answers and a report with a file.
func sameAsFile(t *testing.T, path string, answers []jsontext.Value, report report.Report) {
	t.Helper()
	lines := []string{}
	for _, e := range report {
		lines = append(lines, e.String())
	}
	got, err := json.Marshal(struct {
		Answers []jsontext.Value `json:"answers"`
		Report  []string         `json:"report"`
	}{answers, lines}, jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := gocmp.Diff(string(read(t, path)), string(got)); diff != "" {
		t.Errorf("%s: %s", path, diff)
	}
}
