package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReportSaysWhatIsMissingAndWhatIsOnlyOurs(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := compareDocuments(t, parse(t, "ours", fullDocument(tc.ours)),
				parse(t, "theirs", fullDocument(tc.theirs)))
			for _, part := range []struct {
				title     string
				want, got []string
			}{
				{"missing", tc.missing, findingLines(r.missing)},
				{"only ours", tc.onlyOurs, findingLines(r.onlyOurs)},
				{"notes", tc.notes, findingLines(r.notes)},
			} {
				if diff := cmp.Diff(part.want, part.got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", part.title, diff)
				}
			}
		})
	}
}

func TestADocumentDoesNotDriftFromItself(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		for side, body := range map[string]string{"ours": tc.ours, "theirs": tc.theirs} {
			d := parse(t, side, fullDocument(body))
			r := compareDocuments(t, d, d)
			if len(r.missing)+len(r.onlyOurs) > 0 {
				t.Errorf("%s, %s: missing %q, only ours %q", tc.name, side, findingLines(r.missing),
					findingLines(r.onlyOurs))
			}
		}
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	small := file("small.yaml", fullDocument("Root: { type: object }"))
	big := file("big.json",
		`{"openapi":"3.0.0","paths":{"/look":{"get":{"responses":{"200":{"content":{"application/json":
		{"schema":{"type":"object","properties":{"emoji":{"type":"string","enum":["\ud83d\ude00"]}}}}}}}}}}}`)
	broken := file("broken.yaml", "openapi: 3.0.3\npaths: [\n")
	dangling := file("dangling.yaml", fullDocument("Root: { $ref: '#/components/schemas/Nobody' }"))
	taking := file("taking.yaml", fullDocument("Root: { type: object }"))
	for _, tc := range []struct {
		name   string
		args   []string
		code   int
		stdout string // the last line
		stderr string // held somewhere
	}{
		{"nothing missing", []string{big, small}, 0, "0 missing, 1 only ours", ""},
		{"something missing", []string{small, big}, 1, "1 missing, 0 only ours", ""},
		{"a merge of nothing", []string{"-merge", big, small}, 2, "", "big.json: -merge needs a YAML file with line feeds"},
		{"a merge", []string{"-merge", taking, big}, 0, taking + ":20: REVIEW: say what 😀 of /paths/~1look/get/responses/200/content/application~1json/schema/properties/emoji means", ""},
		{"help", []string{"-h"}, 0, "", "usage: specdrift"},
		{"no arguments", nil, 2, "", "usage: specdrift"},
		{"one argument", []string{small}, 2, "", "usage: specdrift"},
		{"too many arguments", []string{small, big, big}, 2, "", "usage: specdrift"},
		{"unknown flag", []string{"-sub", small, big}, 2, "", "flag provided but not defined: -sub"},
		{"no such file", []string{small, filepath.Join(dir, "none.json")}, 2, "", "none.json: "},
		{"broken syntax", []string{broken, big}, 2, "", "broken.yaml: syntax error: yaml: line 2: "},
		{"dangling reference", []string{small, dangling}, 2, "", `dangling.yaml:13: /components/schemas/Root/$ref: unusable reference: "#/components/schemas/Nobody" points at nothing`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if code := run(tc.args, &stdout, &stderr); code != tc.code {
				t.Errorf("exit code %d, want %d", code, tc.code)
			}
			if got := lastLine(stdout.String()); got != tc.stdout {
				t.Errorf("last line of stdout %q, want %q", got, tc.stdout)
			}
			if got := stderr.String(); !strings.Contains(got, tc.stderr) ||
				tc.stderr == "" && got != "" {
				t.Errorf("stderr %q, want %q", got, tc.stderr)
			}
		})
	}
}

func TestReportLayout(t *testing.T) {
	t.Parallel()
	at := location{operation: "look", direction: response, path: "/a"}
	var b bytes.Buffer
	err := (&report{
		missing: []finding{{location: at, kind: listedValue, name: "X", schema: "S"}},
		onlyOurs: []finding{{location: location{operation: "count"}, kind: wholeOperation,
			name: "GET /count"}},
		notes: []finding{{location: at, kind: "well"}},
	}).print(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := `missing:
  look response /a: enum value X (S)

only ours:
  count: operation GET /count

notes:
  look response /a: well

1 missing, 1 only ours
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func lastLine(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[strings.LastIndex(s, "\n")+1:]
}

func parse(t testing.TB, name, text string) *document {
	t.Helper()
	d, err := parseDocument(name, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

func compareDocuments(t testing.TB, ours, theirs *document) *report {
	t.Helper()
	r, err := compare(ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func findingLines(findings []finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}
