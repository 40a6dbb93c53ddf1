package chat_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts each NAME.gemini.json of testdata and compares the completion and the report
// with NAME.golden.json, and without extensions with NAME.plain.golden.json.
func TestGolden(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*.gemini.json")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, input := range inputs {
		wire, err := os.ReadFile(input)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(input, ".gemini.json")
		for golden, opts := range map[string][]chat.Option{
			name + ".golden.json":       nil,
			name + ".plain.golden.json": {chat.WithoutExtensions()},
		} {
			t.Run(filepath.Base(golden), func(t *testing.T) {
				t.Parallel()
				out, report := openaitest.Convert(t, string(wire), opts...)
				compareGolden(t, golden, out, report)
			})
		}
	}
}

func compareGolden(t *testing.T, path string, out *openaiapi.CreateChatCompletionResponse,
	entries report.Report) {
	t.Helper()
	got, err := json.Marshal(struct {
		Completion jsontext.Value `json:"completion"`
		Report     report.Report  `json:"report"`
	}{jsontext.Value(openaitest.Encode(t, out)), entries}, jsontext.WithIndent("  "),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
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
		t.Error(diff)
	}
}
