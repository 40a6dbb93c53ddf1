package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/cli"
	"github.com/google/go-cmp/cmp"
)

// orderSchema is a schema with most of the schema keywords.
const orderSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "id": {"type": "string", "minLength": 2, "maxLength": 4, "pattern": "^[a-z]+$"},
    "state": {"enum": ["open", 7, null]},
    "kind": {"const": "order"},
    "count": {"type": "integer", "minimum": 1, "maximum": 9.5},
    "tags": {"type": "array", "minItems": 1, "maxItems": 2, "uniqueItems": true},
    "at": {"type": "string", "format": "date-time"},
    "note": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
    "size": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "number", "maximum": 0}]},
    "line": {"oneOf": [{"$ref": "#/$defs/line"}, {"type": "null"}]}
  },
  "required": ["id"],
  "additionalProperties": false,
  "$defs": {"line": {"type": "object", "required": ["sku"]}}
}`

func TestExtractPrintsTheJSONOfATextAsItIs(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"JSON":              {"{\n  \"b\": 1.0,\n  \"a\": \"\\u00e9\"\n}\n", `{"b":1.0,"a":"\u00e9"}`},
		"prose":             {"As in [1], use {} or {\"big\": 12345678901234567890}.", `{"big":12345678901234567890}`},
		"a fence":           {"Not {\"a\": \"\"} but\r\n```json\r\n[1,\r\n2]\r\n```\r\nBye", `[1,2]`},
		"a byte order mark": {"\uFEFF{\"a\": 1}", `{"a":1}`},
		"a scalar":          {" \"all of it\" ", `"all of it"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := gemwire(t, test.text, "extract"); got != (result{0, test.want + "\n", ""}) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestExtractReportsErrorsWithTheirPlace(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"nothing":        {"", "the text is empty"},
		"prose":          {"I cannot.", "no JSON value in a text of 9 bytes"},
		"no JSON":        {"Here: {\"a\": 1,}", "offset 14: expected a member name in double quotes, found \"}\""},
		"a part of it":   {"{\"a\": [{\"b\": 1},], \"c\": {\"d\": \"\"}}", "/a/1: offset 16: expected a value, found \"]\""},
		"a member twice": {"{\"a\": {\"b\": 1, \"b\": 2}}", "/a/b: offset 15: expected each member once, found another \"b\""},
		"cut off":        {"So: {\"a\": [1, \"x\n", "/a/1: offset 16: the value that begins at line 1, column 5 (offset 4) is cut off"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := gemwire(t, test.text,
				"extract"); got != (result{1, "", "gemwire: -: " + test.want + "\n"}) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestExtractTakesWhatFitsTheSchema(t *testing.T) {
	t.Parallel()
	schema := writeFile(t, filepath.Join(t.TempDir(), "schema.json"), orderSchema)
	good := `{"id":"ab","state":null,"count":9,"note":null,"line":{"sku":1},"at":"2026-01-31T12:00:00Z"}`
	got := gemwire(t, `{"a": ""} or ["id"] or {"id": "A"} or `+good, "extract", "--schema", schema)
	if got != (result{0, good + "\n", ""}) {
		t.Errorf("%+v", got)
	}
}

func TestExtractNamesAllThatBreaksTheSchema(t *testing.T) {
	t.Parallel()
	schema := writeFile(t, filepath.Join(t.TempDir(), "schema.json"), orderSchema)
	tests := map[string]struct {
		text string
		want []string
	}{
		"kind":           {`So: [1]`, []string{`offset 4: must be of type object, found a list`}},
		"missing":        {`{}`, []string{`/id: offset 0: must be set`}},
		"more":           {`{"id":"ab","x":1}`, []string{`/x: offset 15: must not be set, found 1`}},
		"type":           {`{"id":7}`, []string{`/id: offset 6: must be of type string, found 7`}},
		"short":          {`{"id":"a"}`, []string{`/id: offset 6: must have at least 2 characters, found "a"`}},
		"long":           {`{"id":"abcde"}`, []string{`/id: offset 6: must have at most 4 characters, found "abcde"`}},
		"pattern":        {`{"id":"AB"}`, []string{`/id: offset 6: must match ^[a-z]+$, found "AB"`}},
		"enum":           {`{"id":"ab","state":"shut"}`, []string{`/state: offset 19: must be one of "open", 7, null, found "shut"`}},
		"const":          {`{"id":"ab","kind":"offer"}`, []string{`/kind: offset 18: must be "order", found "offer"`}},
		"low":            {`{"id":"ab","count":0}`, []string{`/count: offset 19: must be at least 1, found 0`}},
		"high":           {`{"id":"ab","count":10}`, []string{`/count: offset 19: must be at most 9.5, found 10`}},
		"few":            {`{"id":"ab","tags":[]}`, []string{`/tags: offset 18: must have at least 1 elements, found a list`}},
		"many":           {`{"id":"ab","tags":[1,2,3]}`, []string{`/tags: offset 18: must have at most 2 elements, found a list`}},
		"twice":          {`{"id":"ab","tags":[1,1]}`, []string{`/tags: offset 18: items at 0 and 1 are equal, found a list`}},
		"format":         {`{"id":"ab","at":"soon"}`, []string{`/at: offset 16: must have the format date-time, found "soon"`}},
		"the form meant": {`{"id":"ab","note":"abcd"}`, []string{`/note: offset 18: must have at most 3 characters, found "abcd"`}},
		"a form's part":  {`{"id":"ab","line":{}}`, []string{`/line/sku: offset 18: must be set`}},
		"no form":        {`{"id":"ab","note":7}`, []string{`/note: offset 18: must be one of the forms that the schema lists, found 7`}},
		"several forms":  {`{"id":"ab","size":0.5}`, []string{`/size: offset 18: must be at most 0, found 0.5`}},
		"many forms":     {`{"id":"ab","size":"x"}`, []string{`/size: offset 18: must be one of the forms that the schema lists, found "x"`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := result{1, "", ""}
			for _, line := range test.want {
				want.stderr += "gemwire: -: " + line + "\n"
			}
			if diff := cmp.Diff(want, gemwire(t, test.text, "extract", "--schema", schema),
				allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExtractRepairsWhatIsCutOffWhenItIsAsked(t *testing.T) {
	t.Parallel()
	got := gemwire(t, "So: {\"a\": [1, {\"b\": \"c d", "extract", "--repair")
	want := result{0, `{"a":[1,{"b":"c d"}]}` + "\n",
		"gemwire: -: /a/1/b: offset 24: cut off; closed with \"}]}\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	schema := writeFile(t, filepath.Join(t.TempDir(), "schema.json"), orderSchema)
	got = gemwire(t, `{"id": "a`, "extract", "--repair", "--schema", schema)
	want = result{1, "",
		"gemwire: -: /id: offset 9: the value that begins at line 1, column 1 (offset 0) is cut off\n" +
			"gemwire: -: /id: offset 7: must have at least 2 characters, found \"a\"\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestExtractNamesEachRepair(t *testing.T) {
	t.Parallel()
	got := gemwire(t, "<think>{}</think>\n> {'a': True, // why\n> b: [1,],}\n", "extract",
		"--repair")
	want := result{0, `{"a":true,"b":[1]}` + "\n", "gemwire: -: /a: offset 21: other quotes\n" +
		"gemwire: -: /a: offset 26: Python literal\n" +
		"gemwire: -: offset 32: comment\n" +
		"gemwire: -: /b: offset 41: name without quotes\n" +
		"gemwire: -: /b: offset 46: trailing comma\n" +
		"gemwire: -: offset 48: trailing comma\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	schema := writeFile(t, filepath.Join(t.TempDir(), "schema.json"), orderSchema)
	for _, args := range [][]string{{"extract", "--repair"},
		{"extract", "--repair", "--schema", schema}} {
		got = gemwire(t, `"{\"id\": \"ab\"}"`, args...)
		want = result{0, `{"id":"ab"}` + "\n", "gemwire: -: offset 0: encoded twice\n"}
		if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
			t.Error(diff)
		}
	}
	got = gemwire(t, `{"a": "say "b" now"}`, "extract", "--repair")
	want = result{1, "", "gemwire: -: offset 12: expected a comma or }, found \"b\"\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestExtractReadsEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := writeFile(t, dir+"/one.md", "one: {\"a\": 1}")
	bad := writeFile(t, dir+"/bad.md", "none")
	two := writeFile(t, dir+"/two.md", "two: [2]")
	missing := filepath.Join(dir, "missing.md")
	got := gemwire(t, "{\"stdin\": 0}", "extract", one, bad, missing, "-", two)
	want := result{1, "{\"a\":1}\n{\"stdin\":0}\n[2]\n",
		"gemwire: " + bad + ": no JSON value in a text of 4 bytes\n" +
			"gemwire: " + missing + ": no such file or directory\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if got := gemwire(t, "", "extract", "-", "-"); got.code != 2 ||
		!strings.Contains(got.stderr, "standard input (-) can be read only once") {
		t.Errorf("%+v", got)
	}
}

func TestExtractStopsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code := cli.Run(ctx, []string{"extract", "-", "more.md"}, strings.NewReader("{}"), &stdout,
		&stderr)
	if code != 1 || stdout.String() != "" || stderr.String() != "gemwire: -: interrupted\n" {
		t.Errorf("exit code %d, %q, %q", code, &stdout, &stderr)
	}
}

func TestExtractRefusesAnInvalidSchema(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string { return writeFile(t, filepath.Join(dir, name), text) }
	tests := map[string]struct{ path, want string }{
		"missing":   {filepath.Join(dir, "nowhere.json"), "no such file or directory"},
		"no JSON":   {write("no.json", `{"type":`), "/type: offset 8: the input ends too early"},
		"no schema": {write("bad.json", `{"type":"text"}`), `/type: not a JSON Schema: must be one of "array", "boolean"`},
		"remote":    {write("remote.json", `{"$ref":"https://example.com/schema.json"}`), `"https://example.com/schema.json" is not in the schema's file`},
		"a file":    {write("file.json", `{"$ref":"file:///etc/hostname"}`), `"file:///etc/hostname" is not in the schema's file`},
		"too deep":  {write("deep.json", strings.Repeat(`{"not":`, 5000)+`{}`+strings.Repeat(`}`, 5000)), "must be nested at most 256 levels deep"},
		"too many places": {
			write("places.json",
				`{"anyOf":[`+repeated(8000, `{"$ref":"#/anyOf/%d/x","x":{}},`)+`{}]}`),
			"must have at most 2000 different $id, $anchor and $ref",
		},
		"too many ids": {write("ids.json", `{"$defs":{`+repeated(8000, `"d%[1]d":{"$id":"d%[1]d"},`)+`"e":{}}}`), "must have at most 2000 different $id"},
		"its folder":   {write("local.json", `{"$ref":"no.json#/$defs/a"}`), `"no.json" is not in the schema's file`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, "{}", "extract", "--schema", test.path)
			if got.code != 1 || got.stdout != "" ||
				!strings.HasPrefix(got.stderr, "gemwire: "+test.path+": ") ||
				!strings.Contains(got.stderr, test.want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// repeated returns a text count times, each with its number.
func repeated(count int, format string) string {
	var out strings.Builder
	for i := range count {
		fmt.Fprintf(&out, format, i)
	}
	return out.String()
}

// A small schema can repeat its parts without end.
func TestExtractBoundsTheWorkOfASchema(t *testing.T) {
	t.Parallel()
	levels := func(level func(below string) string) string {
		var defs strings.Builder
		defs.WriteString(`"l0":{"type":"string"}`)
		for i := 1; i <= 30; i++ {
			fmt.Fprintf(&defs, `,"l%d":%s`, i, level(fmt.Sprintf(`{"$ref":"#/$defs/l%d"}`, i-1)))
		}
		return `{"$ref":"#/$defs/l30","$defs":{` + defs.String() + `}}`
	}
	deep := strings.Repeat(`{"a":`, 31) + `1` + strings.Repeat(`}`, 31)
	for name, test := range map[string]struct{ schema, value string }{
		"allOf":       {levels(func(below string) string { return `{"allOf":[` + below + `,` + below + `]}` }), `{"a":1}`},
		"anyOf":       {levels(func(below string) string { return `{"anyOf":[` + below + `,` + below + `]}` }), `{"a":1}`},
		"$ref and if": {levels(func(below string) string { return `{"if":` + below + `,"else":` + below + `}` }), `{"a":1}`},
		"members": {levels(func(b string) string {
			return `{"properties":{"a":` + b + `},"additionalProperties":` + b +
				`,"patternProperties":{"a":` + b + `}}`
		}), deep},
		"what has no end": {`{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, deep},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, filepath.Join(t.TempDir(), "schema.json"), test.schema)
			got := gemwire(t, test.value, "extract", "--schema", path)
			want := "gemwire: -: offset 0: must take at most 1000000 steps to check (the schema repeats its parts too often), found an object\n"
			if got != (result{1, "", want}) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestExtractReportsARepeatedRuleOnce(t *testing.T) {
	t.Parallel()
	path := writeFile(t, filepath.Join(t.TempDir(), "schema.json"),
		`{"allOf":[{"type":"array"},{"type":"array"}]}`)
	want := "gemwire: -: offset 0: must be of type array, found an object\n"
	if got := gemwire(t, `{}`, "extract", "--schema", path); got != (result{1, "", want}) {
		t.Errorf("%+v", got)
	}
}

// This test does not run in parallel, because it changes to the root of the repository, where the
// examples' files are.
func TestTheExamplesOfExtractWork(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	help := gemwire(t, "", "extract", "--help")
	examples := 0
	for line := range strings.Lines(help.stdout) {
		command, ok := strings.CutPrefix(line, "  gemwire ")
		if len(line) > 121 {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
		if !ok || strings.Contains(command, "[") {
			continue
		}
		examples++
		if got := gemwire(t, "", strings.Fields(command)...); got.code != 0 || got.stderr != "" ||
			!strings.HasPrefix(got.stdout, `{"recommendations":[`) {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if examples != 2 || !strings.Contains(help.stdout, "--schema FILE") ||
		!strings.Contains(help.stdout, "--repair") {
		t.Errorf("%d examples in:\n%s", examples, help.stdout)
	}
}
