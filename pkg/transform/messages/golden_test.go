package messages_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts each NAME.gemini.json of package transform/chat's examples. It compares the
// message and the report with NAME.golden.json. NAME.tools.golden.json is for a client that
// declared Anthropic's server tools.
func TestGolden(t *testing.T) {
	t.Parallel()
	for input, name := range goldenInputs(t, "*.gemini.json") {
		wire := read(t, input)
		for golden, opts := range map[string][]messages.Option{
			name + ".golden.json":       nil,
			name + ".tools.golden.json": {messages.WithRequest(declared)},
		} {
			t.Run(golden, func(t *testing.T) {
				t.Parallel()
				out, entries := convert(t, string(wire), opts...)
				got, err := json.Marshal(struct {
					Message jsontext.Value `json:"message"`
					Report  report.Report  `json:"report"`
				}{jsontext.Value(encode(t, out)), entries}, jsontext.WithIndent("  "),
					jsontext.PreserveRawStrings(true))
				if err != nil {
					t.Fatal(err)
				}
				compareGolden(t, golden, append(got, '\n'))
			})
		}
	}
}

// TestGoldenStreams does the same for NAME.gemini.sse, with NAME.golden.sse and the report in
// NAME.report.txt.
func TestGoldenStreams(t *testing.T) {
	t.Parallel()
	for input, name := range goldenInputs(t, "*.gemini.sse") {
		wire := read(t, input)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			report, err := messages.WriteStream(&out,
				gemini.NewStreamReader(strings.NewReader(string(wire))).All(),
				messages.WithRequest(declared))
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, name+".golden.sse", []byte(out.String()))
			var lines strings.Builder
			for _, e := range report {
				lines.WriteString(e.String() + "\n")
			}
			compareGolden(t, name+".report.txt", []byte(lines.String()))
		})
	}
}

// goldenInputs returns the paths of inputs and their names without the extension.
func goldenInputs(t *testing.T, pattern string) map[string]string {
	t.Helper()
	inputs, err := filepath.Glob("../chat/testdata/" + pattern)
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	out := map[string]string{}
	for _, input := range inputs {
		out[input] = strings.TrimSuffix(filepath.Base(input), pattern[1:])
	}
	return out
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func compareGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, path)), string(got)); diff != "" {
		t.Error(diff)
	}
}
