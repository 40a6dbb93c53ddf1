package request_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts each NAME.gemini.json of testdata in each mode. It compares the request and
// the report, or the error, with NAME.MODE.golden.json. Each value is in the request or the report.
func TestGolden(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*.gemini.json")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, input := range inputs {
		document, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		for mode, opts := range modes {
			name := strings.TrimSuffix(input, "gemini.json") + strings.ReplaceAll(mode, " ", "_") +
				".golden.json"
			t.Run(filepath.Base(name), func(t *testing.T) {
				t.Parallel()
				checkLeaves(t, mode, document, opts)
				compareGolden(t, name, document, opts)
			})
		}
	}
}

// compareGolden compares the conversion of a document with a golden file.
func compareGolden(t *testing.T, name string, document []byte, opts []request.Option) {
	t.Helper()
	out, report, err := convert(document, opts...)
	var failure string
	if err != nil {
		failure = err.Error()
	}
	lines := []string{}
	for _, e := range report {
		lines = append(lines, e.String())
	}
	got, err := json.Marshal(struct {
		Request jsontext.Value `json:"request,omitzero"`
		Error   string         `json:"error,omitzero"`
		Report  []string       `json:"report"`
	}{out, failure, lines}, jsontext.WithIndent("  "), jsontext.PreserveRawStrings(true))
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}
