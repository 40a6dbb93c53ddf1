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

var update = flag.Bool("update", false, "write the schema as it should be")

var (
	root        = filepath.Join("..", "..", "..")
	exampleFile = filepath.Join(root, "server", "examples", "gateway", "gateway.yaml")
	schemaFile  = filepath.Join(root, "server", "examples", "gateway", "gateway.schema.json")
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// asWritten compares a file with its expected content, or writes it with -update.
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

// compiled returns the compiled schema of files.
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

// value returns a file in the form that the validator needs.
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
	// This includes all commented-out lines, except comments that are sentences.
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
