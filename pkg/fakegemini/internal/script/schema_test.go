package script

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini/internal/fault"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

const schemaFile = "../../script.schema.json"

// compiled returns the schema of a script.
func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// value returns a file in the form that the validator needs.
func value(t *testing.T, file string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(file), &v); err != nil {
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

func TestSchemaTakesWhatAScriptTakes(t *testing.T) {
	t.Parallel()
	everything, err := os.ReadFile("testdata/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{
		string(everything),
		"fixtures: []",
		"fixtures: [{reply: {finishReason: SAFETY}}]",
		"fixtures: [{reply: a}, {reply: [{text: a}, {fault: {kind: cut}}]}, {reply: {blocks: [{thought: [a, b]}], ttft: 1s}}]",
		"fixtures: [{match: {toolResult: f, prompt: {exact: a}, model: x}, replies: [a, [{pause: 1m30s}, {text: b}]], times: 0}]",
	}
	for _, kind := range fault.Kinds() {
		member := map[fault.Kind]string{fault.ContentType: ", contentType: a/b",
			fault.Large: ", bytes: 5"}[kind]
		files = append(files, "fixtures: [{reply: [{fault: {kind: "+string(kind)+member+"}}]}]")
	}
	for _, file := range files {
		if _, err := Read([]byte(file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if err := compiled(t).Validate(value(t, file)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestSchemaRefusesWhatAScriptRefuses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"fixture: []",
		"fixtures: [{}]",
		"fixtures: [{reply: a, replies: [b]}]",
		"fixtures: [{reply: []}]",
		"fixtures: [{reply: {ttft: 1s}}]",
		"fixtures: [{reply: [{}]}]",
		"fixtures: [{reply: [{txt: a}]}]",
		"fixtures: [{reply: [{pause: 5}]}]",
		"fixtures: [{reply: [{pause: soon}]}]",
		"fixtures: [{reply: [{fault: {kind: boom}}]}]",
		"fixtures: [{reply: [{call: {args: {}}}]}]",
		"fixtures: [{match: {promt: a}, reply: a}]",
		"fixtures: [{match: {prompt: {exact: a, contains: b}}, reply: a}]",
		"fixtures: [{match: {chance: 2}, reply: a}]",
		"fixtures: [{match: {turn: -1}, reply: a}]",
	} {
		if _, err := Read([]byte(file)); err == nil {
			t.Errorf("a script takes %s", file)
		}
		if compiled(t).Validate(value(t, file)) == nil {
			t.Errorf("the schema takes %s", file)
		}
	}
}

// schema is the part of a JSON Schema that names members.
type schema struct {
	Properties map[string]schema `json:"properties"`
	AnyOf      []schema          `json:"anyOf"`
	Items      *schema           `json:"items"`
	Defs       map[string]schema `json:"$defs"`
	Enum       []string          `json:"enum"`
}

// names returns the members of the object that a schema is, or has among its alternatives.
func (s schema) names() []string {
	for _, alternative := range append([]schema{s}, s.AnyOf...) {
		if alternative.Properties != nil {
			return slices.Sorted(maps.Keys(alternative.Properties))
		}
	}
	return nil
}

func TestSchemaHasTheNamesOfAScript(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var root schema
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	block := root.Defs["block"]
	for kind, s := range map[object]schema{
		scriptObject: root, fixtureObject: root.Defs["fixture"], matchObject: root.Defs["match"],
		toolResultObject: root.Defs["match"].Properties["toolResult"],
		textObject:       root.Defs["text"],
		answerObject:     root.Defs["reply"], blockObject: block,
		callObject: block.Properties["call"],
		dataObject: block.Properties["data"], faultObject: root.Defs["fault"],
	} {
		if diff := cmp.Diff(slices.Sorted(slices.Values(members[kind])), s.names()); diff != "" {
			t.Errorf("%s: -script +schema\n%s", kind, diff)
		}
	}
	var kinds []string
	for _, kind := range fault.Kinds() {
		kinds = append(kinds, string(kind))
	}
	if diff := cmp.Diff(kinds,
		slices.Sorted(slices.Values(root.Defs["fault"].Properties["kind"].Enum))); diff != "" {
		t.Errorf("faults: -script +schema\n%s", diff)
	}
}
