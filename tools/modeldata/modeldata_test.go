package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

const factsPath = "../../pkg/gemini/models/models.yaml"

// small is a file without a mistake.
const small = `
sources:
  notes: {title: Notes, date: 2026-11-01}
names:
  - {name: gemini-9, calls: [generate]}
  - {name: gemini-9-lite, calls: [generate]}
groups:
  all-9: [gemini-9, gemini-9-lite]
facts:
  - {models: [all-9], what: input_tokens, value: 5, service: both, source: notes, confidence: vendor, checked: 2026-11-01}
  - {models: [gemini-9], what: routed_to, value: gemini-9-lite, from: 2026-12-01, service: gemini_api, source: notes, confidence: vendor, checked: 2026-11-01}
`

func TestTablesAreThoseOfTheFacts(t *testing.T) {
	t.Parallel()
	f, err := readFile(factsPath)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tables(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../pkg/gemini/models/tables.gen.go")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("tables.gen.go is stale (%v); run go generate ./pkg/gemini/models", err)
	}
}

func TestAMistakeInTheFactsIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	if _, err := read([]byte(small)); err != nil {
		t.Fatal(err)
	}
	row := `  - {models: [gemini-9], what: output_tokens, value: 7, service: both, source: notes, confidence: vendor, checked: 2026-11-01}`
	tests := map[string]struct{ old, new, want string }{
		"an unknown model":        {"[gemini-9]", "[gemini-8]", `line 12: "gemini-8" is neither a model nor a group`},
		"an unknown fact":         {"output_tokens", "tokens_out", `line 12: "tokens_out" is not a fact that a model can have`},
		"an unknown source":       {"source: notes", "source: rumour", `line 12: "rumour" is not a source`},
		"an unknown service":      {"service: both", "service: azure", `line 12: "azure" is not a service; use gemini_api, vertex_ai or both`},
		"an unknown confidence":   {"vendor", "sure", `line 12: "sure" is not a confidence; use vendor, third_party, inferred or unverified`},
		"an unknown member":       {"value: 7", "val: 7", `line 12: a fact has no "val"`},
		"no number":               {"value: 7", "value: many", `line 12: output_tokens: "many" is not a number of tokens`},
		"no day":                  {"checked: 2026-11-01", "checked: soon", `line 12: "soon" is not a day such as 2026-11-23`},
		"never checked":           {", checked: 2026-11-01", "", `line 12: checked is missing`},
		"an end before the start": {"value: 7", "value: 7, from: 2026-11-02, until: 2026-11-01", `line 12: until is before from`},
		"a level out of order":    {"output_tokens, value: 7", "thinking_levels, value: [HIGH, LOW]", `line 12: thinking_levels: the levels must be in rising order`},
		"a fact of no service":    {"output_tokens, value: 7, service: both", "json_schema, value: true, service: vertex_ai", `line 12: json_schema does not depend on the service; use both`},
		"a route to nowhere":      {"output_tokens, value: 7", "routed_to, value: gemini-8, from: 2026-11-01", `line 12: routed_to: "gemini-8" is not a model`},
		"a route without a day":   {"output_tokens, value: 7", "routed_to, value: gemini-9-lite", `line 12: routed_to needs the day from which it holds`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := read([]byte(small + strings.Replace(row, tt.old, tt.new, 1) + "\n"))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestFactsThatContradictEachOtherAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ row, want string }{
		"a group and a model": {
			"{models: [gemini-9-lite], what: input_tokens, value: 6, service: vertex_ai, source: notes, confidence: vendor, checked: 2026-11-01}",
			"line 12: gemini-9-lite has a row for input_tokens on the same days in line 10",
		},
		"an alias that is routed": {
			"{models: [gemini-9], what: alias_of, value: gemini-9-lite, from: 2026-11-01, service: gemini_api, source: notes, confidence: vendor, checked: 2026-11-01}",
			"line 12: gemini-9 has a row for alias_of on the same days in line 11",
		},
		"another time": {
			"{models: [gemini-9], what: alias_of, value: gemini-9-lite, from: 2026-11-01, until: 2026-11-30, service: gemini_api, source: notes, confidence: vendor, checked: 2026-11-01}",
			"",
		},
		"another service": {
			"{models: [gemini-9], what: alias_of, value: gemini-9-lite, service: vertex_ai, source: notes, confidence: vendor, checked: 2026-11-01}",
			"",
		},
	} {
		f, err := read([]byte(small + "  - " + tt.row + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := tables(f); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestFactsThatWereNotCheckedForLongFailTheCheck(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "facts.yaml")
	if err := os.WriteFile(path, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing := func(string) string { return "" }
	var out strings.Builder
	if err := check(context.Background(), path, time.Date(2027, 1, 30, 0, 0, 0, 0, time.UTC),
		nothing, &out); err != nil {
		t.Errorf("after 90 days: %v", err)
	}
	err := check(context.Background(), path, time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), nothing,
		&out)
	if err == nil || !strings.Contains(err.Error(), "2 facts were not checked for 90 days") {
		t.Errorf("after 91 days: %v", err)
	}
	if !strings.Contains(out.String(),
		":10: input_tokens of all-9 was last checked on 2026-11-01") {
		t.Errorf("got %s", out.String())
	}
}

func TestAModelThatTheAPIListsAndTheFileHasNotFailsTheCheck(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		more []string
		want string
	}{
		"all are known":     {nil, ""},
		"a version":         {[]string{"gemini-3.6-flash-002", "gemini-2.5-pro-preview-05-06"}, ""},
		"a model of 2027":   {[]string{"gemini-5-neon"}, "1 of "},
		"a word of its own": {[]string{"gemini-3.6-flash-002", "gemini-3.6-flash-mini"}, "1 of "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t, geminitest.WithModels(tt.more...))
			env := map[string]string{"GEMINI_API_KEY": "test", "GEMINI_BASE_URL": server.URL()}
			var out strings.Builder
			err := check(context.Background(), factsPath,
				time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
				func(name string) string { return env[name] }, &out)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v: %s", err, out.String())
			case tt.want != "" &&
				(err == nil || !strings.HasPrefix(err.Error(), tt.want) ||
					!strings.Contains(out.String(), tt.more[len(tt.more)-1])):
				t.Errorf("got %v: %s", err, out.String())
			}
		})
	}
}

func TestARefusedKeyFailsTheCheck(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithAPIKeys("right"))
	env := map[string]string{"GEMINI_API_KEY": "wrong", "GEMINI_BASE_URL": server.URL()}
	err := check(context.Background(), factsPath, time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
		func(name string) string { return env[name] }, &strings.Builder{})
	if err == nil || !strings.Contains(err.Error(), "listing the models: the server answers 400") {
		t.Errorf("got %v", err)
	}
}
