package request_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/messages/request"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// TestGolden converts each request of testdata in each mode. It compares the request for Gemini and
// the report, or the error, with a file of testdata/golden.
func TestGolden(t *testing.T) {
	t.Parallel()
	for path, document := range fixtures(t) {
		for mode, opts := range modes {
			name := strings.TrimSuffix(filepath.Base(path), ".json") + "." +
				strings.ReplaceAll(mode, " ", "_") + ".json"
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				out, report, err := geminiRequest(document,
					append(slices.Clone(opts), request.WithoutValidation())...)
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
				}{out, failure, lines}, jsontext.WithIndent("  "),
					jsontext.PreserveRawStrings(true))
				if err != nil {
					t.Fatal(err)
				}
				compareGolden(t, filepath.Join("testdata", "golden", name), append(got, '\n'))
			})
		}
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
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
		t.Error(diff)
	}
}
