package config_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/config"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

var update = flag.Bool("update", false, "write docs/gateway.md and the schema as they should be")

var (
	root        = filepath.Join("..", "..", "..")
	exampleFile = filepath.Join(root, "server", "examples", "gateway", "gateway.yaml")
	schemaFile  = filepath.Join(root, "server", "examples", "gateway", "gateway.schema.json")
	pageFile    = filepath.Join(root, "docs", "gateway.md")
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// asWritten holds a file to what it should be, or with -update writes it.
func asWritten(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, readFile(t, path)); diff != "" {
		t.Errorf("%s is stale; run go test ./server/gateway/config -update\n%s", path, diff)
	}
}

// compiled returns the schema of files.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.json", document); err != nil {
		t.Fatal(err)
	}
	out, err := compiler.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// value returns a file as the validator wants it.
func value(t *testing.T, content string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(content), &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestTheSchemaHasEverySettingAndWhatItMeans(t *testing.T) {
	t.Parallel()
	described, err := config.Descriptions()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range config.Settings() {
		if !strings.HasSuffix(described[s.Name], ".") {
			t.Errorf("%s is described by %q", s.Name, described[s.Name])
		}
		delete(described, s.Name)
	}
	for name := range described {
		t.Errorf("%s is in the schema, and is no setting", name)
	}
}

func TestTheSchemaTakesWhatAFileMayHaveAndNothingElse(t *testing.T) {
	t.Parallel()
	schema := compiled(t)
	for _, s := range config.Settings() {
		if sample, ok := samples[s.Name]; ok {
			if err := schema.Validate(value(t, inFile(s.Name, sample[0]))); err != nil {
				t.Errorf("%s: %v", s.Name, err)
			}
		}
	}
	for _, content := range []string{"adr: x", "signatures: none", "strict: 1",
		"models: {m: {first: 1s}}", "accounts: [{secret: x}]", "max_attempts: -1"} {
		if err := schema.Validate(value(t, content)); err == nil {
			t.Errorf("the schema takes %s", content)
		}
	}
}

func TestTheExampleHasEverySetting(t *testing.T) {
	t.Parallel()
	content := readFile(t, exampleFile)
	load(t, config.Sources{File: exampleFile})
	if err := compiled(t).Validate(value(t, content)); err != nil {
		t.Error(err)
	}
	// With all that is commented out, too, apart from the comments that are sentences.
	var lines []string
	for line := range strings.Lines(content) {
		rest := strings.TrimPrefix(line, "# ")
		name, _, _ := strings.Cut(rest, ":")
		isSetting := slices.ContainsFunc(config.Settings(),
			func(s config.Setting) bool { return s.Name == name })
		if isSetting || strings.HasPrefix(rest, "  - {project") {
			line = rest
		}
		lines = append(lines, line)
	}
	whole := strings.Join(lines, "")
	if err := compiled(t).Validate(value(t, whole)); err != nil {
		t.Error(err)
	}
	var all map[string]any
	if err := yaml.Unmarshal([]byte(whole), &all); err != nil {
		t.Fatal(err)
	}
	defaults := config.Default()
	for _, s := range config.Settings() {
		got, ok := all[s.Name]
		if !ok && s.Name != "$schema" {
			t.Errorf("the example has no %s", s.Name)
		}
		if commented := strings.Contains(content, "\n# "+s.Name+": "); commented &&
			s.Of(defaults) != "" {
			if text := fmt.Sprint(got); text != s.Of(defaults) {
				t.Errorf("the example gives %s for the default of %s, which is %s", text, s.Name,
					s.Of(defaults))
			}
		}
	}
	schema, err := config.Schema()
	if err != nil {
		t.Fatal(err)
	}
	asWritten(t, schemaFile, string(schema)+"\n")
}

// tableStart and tableEnd are around the table of settings in docs/gateway.md.
const (
	tableStart = "<!-- settings: written by go test ./server/gateway/config -update -->\n"
	tableEnd   = "<!-- end of settings -->\n"
)

// inCell returns a text as a cell of a table has it. Between backticks too, a bar ends the cell
// where nothing is in front of it: `FOLDER|URLS` is written `FOLDER\|URLS`, of which the page shows
// no backslash.
func inCell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func TestThePageHasTheTableOfSettings(t *testing.T) {
	t.Parallel()
	page := readFile(t, pageFile)
	before, rest, ok1 := strings.Cut(page, tableStart)
	_, after, ok2 := strings.Cut(rest, tableEnd)
	if !ok1 || !ok2 {
		t.Fatal("docs/gateway.md has no place for the settings")
	}
	described, err := config.Descriptions()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("\n| in the file | flag | default | what it means |\n|---|---|---|---|\n")
	for _, s := range config.Settings() {
		flag, standard := "", s.Of(config.Default())
		if s.Flag() != "" {
			flag = "`" + strings.TrimSpace("--"+s.Flag()+" "+s.Takes) + "`"
		}
		if standard != "" {
			standard = "`" + standard + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", s.Name, inCell(flag), inCell(standard),
			inCell(described[s.Name]))
	}
	for row := range strings.Lines(strings.TrimSpace(table.String())) {
		if cells := strings.Count(row, "|") - strings.Count(row, `\|`) - 1; cells != 4 {
			t.Errorf("%d cells; expected 4: %s", cells, row)
		}
	}
	asWritten(t, pageFile, before+tableStart+table.String()+"\n"+tableEnd+after)
}
