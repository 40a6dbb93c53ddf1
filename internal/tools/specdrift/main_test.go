package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/stub"
)

func TestReportSaysWhatIsMissingAndWhatIsOnlyOurs(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := compareDocuments(t, parse(t, "ours", document(tc.ours)), parse(t, "theirs", document(tc.theirs)))
			for _, part := range []struct {
				title     string
				want, got []string
			}{
				{"missing", tc.missing, findingLines(r.Missing)},
				{"only ours", tc.onlyOurs, findingLines(r.OnlyOurs)},
				{"notes", tc.notes, noteLines(r.Notes)},
			} {
				if diff := cmp.Diff(part.want, part.got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", part.title, diff)
				}
			}
		})
	}
}

func TestPastedStubLeavesNothingMissing(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			ours, theirs := parse(t, "ours", document(tc.ours)), parse(t, "theirs", document(tc.theirs))
			before := compareDocuments(t, ours, theirs)
			pasted := pasteStub(t, before, document(tc.ours), ours, theirs)
			after := compareDocuments(t, parse(t, "pasted", pasted), theirs)
			if len(after.Missing) > 0 {
				t.Errorf("still missing: %q\n%s", findingLines(after.Missing), pasted)
			}
			if diff := cmp.Diff(findingLines(before.OnlyOurs), findingLines(after.OnlyOurs)); diff != "" && len(before.Missing) == 0 {
				t.Errorf("a stub without anything changed what is only ours:\n%s", diff)
			}
		})
	}
}

func TestADocumentDoesNotDriftFromItself(t *testing.T) {
	t.Parallel()
	for _, tc := range driftCases {
		for side, body := range map[string]string{"ours": tc.ours, "theirs": tc.theirs} {
			d := parse(t, side, document(body))
			r := compareDocuments(t, d, d)
			if len(r.Missing)+len(r.OnlyOurs) > 0 {
				t.Errorf("%s, %s: missing %q, only ours %q", tc.name, side, findingLines(r.Missing), findingLines(r.OnlyOurs))
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
	small := file("small.yaml", document("Root: { type: object }"))
	big := file("big.json", `{"openapi":"3.0.0","paths":{"/look":{"get":{"responses":{"200":{"content":{"application/json":
		{"schema":{"type":"object","properties":{"emoji":{"type":"string","enum":["\ud83d\ude00"]}}}}}}}}}}}`)
	broken := file("broken.yaml", "openapi: 3.0.3\npaths: [\n")
	dangling := file("dangling.yaml", document("Root: { $ref: '#/components/schemas/Nobody' }"))
	unnamed := file("unnamed.yaml", document("Root: { type: object, properties: { x: { type: array, items: { $ref: '#/components/schemas/Root/properties/x' } } } }"))
	for _, tc := range []struct {
		name   string
		args   []string
		code   int
		stdout string // the last line
		stderr string // held somewhere
	}{
		{"nothing missing", []string{big, small}, 0, "0 missing, 1 only ours", ""},
		{"something missing", []string{small, big}, 1, "1 missing, 0 only ours", ""},
		{"a stub for nothing", []string{"-stub", big, small}, 0, "# Merge into " + big + ": mappings into mappings of the same name, list elements at the end of the list.", "\n0 missing, 1 only ours\n"},
		{"a stub", []string{"-stub", small, big}, 1, "        - \"\\U0001F600\"", "\n1 missing, 0 only ours\n"},
		{"help", []string{"-h"}, 0, "", "usage: specdrift"},
		{"no arguments", nil, 2, "", "usage: specdrift"},
		{"one argument", []string{small}, 2, "", "usage: specdrift"},
		{"too many arguments", []string{small, big, big}, 2, "", "usage: specdrift"},
		{"unknown flag", []string{"-sub", small, big}, 2, "", "flag provided but not defined: -sub"},
		{"no such file", []string{small, filepath.Join(dir, "none.json")}, 2, "", "none.json: "},
		{"broken syntax", []string{broken, big}, 2, "", "broken.yaml:2: syntax error: "},
		{"dangling reference", []string{small, dangling}, 2, "", `dangling.yaml:13: /components/schemas/Root/$ref: unusable reference: "#/components/schemas/Nobody" points at nothing`},
		{"a schema that no stub can name", []string{"-stub", small, unnamed}, 2, "", "a schema without a name that holds itself"},
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
			if got := stderr.String(); !strings.Contains(got, tc.stderr) || tc.stderr == "" && got != "" {
				t.Errorf("stderr %q, want %q", got, tc.stderr)
			}
		})
	}
}

func TestStubIsWrittenInOurStyle(t *testing.T) {
	t.Parallel()
	ours := parse(t, "ours.yaml", document(`
Root:
  type: object
  properties:
    size: { description: Our words., type: integer }
    content: { type: string }
    level: { $ref: '#/components/schemas/Level' }
    voice: { type: string, x-open-enum: true, x-known-values: [ash] }
Level: { type: string, enum: [LOW], x-enum-descriptions: { LOW: Little. } }
Part: { type: array, items: { type: string } }`))
	theirs := parse(t, "theirs.yaml", document(`
Root:
  type: object
  properties:
    size: { type: string, format: int64 }
    content: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Part' } }] }
    level: { type: string, enum: [LOW, HIGH] }
    voice: { type: string, enum: [ash, coral] }
    parts: { type: array, items: { $ref: '#/components/schemas/Part' } }
    reason: { type: string, enum: [STOP, "NO"], nullable: true }
Part: { type: object, description: Their words., properties: { model: { anyOf: [{ type: string }, { enum: [m-1] }] }, any: {}, next: { $ref: '#/components/schemas/Part' } } }`))
	got, err := stub.Render(compareDocuments(t, ours, theirs), ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	want := `# Merge into ours.yaml: mappings into mappings of the same name, list elements at the end of the list.
components:
  schemas:
    Root:
      properties:
        # replaces what is there: look response /size: type string, ours integer (Root.size)
        size:
          description: Our words.
          type: string
          format: int64
        # replaces what is there: look response /content: type array, ours string (Root.content)
        content:
          description: TODO
          oneOf:
            - type: string
            - type: array
              items: {$ref: "#/components/schemas/Part2"}
        voice:
          x-known-values:
            # look response /voice: enum value coral (Root.voice)
            - coral
        # look response /parts: property, list of Part (Root)
        parts:
          description: TODO
          type: array
          items: {$ref: "#/components/schemas/Part2"}
        # look response /reason: property, enum of 2 (Root)
        reason:
          description: TODO
          allOf: [{$ref: "#/components/schemas/RootReason"}]
          nullable: true
    Level:
      enum:
        # look response /level: enum value HIGH (Level)
        - HIGH
      x-enum-descriptions:
        HIGH: TODO
    # another Part is already there; use that if it means the same
    Part2:
      type: object
      description: TODO
      properties:
        any:
          description: TODO
          x-free-form: true
        model:
          description: TODO
          type: string
          x-open-enum: true
          x-known-values:
            - m-1
        next:
          description: TODO
          allOf: [{$ref: "#/components/schemas/Part2"}]
    RootReason:
      type: string
      description: TODO
      enum:
        - STOP
        - "NO"
      x-enum-descriptions:
        STOP: TODO
        "NO": TODO
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestReportLayout(t *testing.T) {
	t.Parallel()
	place := drift.Place{Operation: "look", Direction: drift.Response, Path: "/a"}
	var b bytes.Buffer
	err := printReport(&b, &drift.Report{
		Missing:  []drift.Finding{{Place: place, Kind: drift.EnumValue, Name: "X", Schema: "S"}},
		OnlyOurs: []drift.Finding{{Place: drift.Place{Operation: "count"}, Kind: drift.Operation, Name: "GET /count"}},
		Notes:    []drift.Note{{Place: place, Text: "well"}},
	})
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

func parse(t testing.TB, name, text string) *openapi.Document {
	t.Helper()
	d, err := openapi.Parse(name, []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return d
}

func compareDocuments(t testing.TB, ours, theirs *openapi.Document) *drift.Report {
	t.Helper()
	r, err := drift.Compare(ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func findingLines(findings []drift.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}

func noteLines(notes []drift.Note) []string {
	var out []string
	for _, n := range notes {
		out = append(out, n.String())
	}
	return out
}

// pasteStub renders the report's stub and does with it what its first line says.
func pasteStub(t testing.TB, r *drift.Report, text string, ours, theirs *openapi.Document) string {
	t.Helper()
	rendered, err := stub.Render(r, ours, theirs)
	if err != nil {
		t.Fatal(err)
	}
	var target, patch yaml.Node
	for into, data := range map[*yaml.Node][]byte{&target: []byte(text), &patch: rendered} {
		if err := yaml.Unmarshal(data, into); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
	}
	if len(patch.Content) > 0 {
		paste(target.Content[0], patch.Content[0])
	}
	out, err := yaml.Marshal(&target)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func paste(target, patch *yaml.Node) {
	if patch.Kind == yaml.SequenceNode {
		target.Content = append(target.Content, patch.Content...)
		return
	}
	for i := 0; i < len(patch.Content); i += 2 {
		key, value := patch.Content[i], patch.Content[i+1]
		old := -1
		for j := 0; j < len(target.Content); j += 2 {
			if target.Content[j].Value == key.Value {
				old = j + 1
			}
		}
		switch {
		case old < 0:
			target.Content = append(target.Content, key, value)
		case strings.HasPrefix(key.HeadComment, "# "+stub.Replaces):
			target.Content[old] = value
		default:
			paste(target.Content[old], value)
		}
	}
}
