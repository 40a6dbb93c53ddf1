package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/google/go-cmp/cmp"
)

func TestToJSONWritesJSONSchema(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, own, want, reported string }{
		{"types in small letters", `{"type":"STRING","format":"date"}`, `{"type":"string","format":"date"}`, ""},
		{"nullable", `{"type":"INTEGER","nullable":true}`, `{"type":["integer","null"]}`, ""},
		{"not nullable", `{"type":"INTEGER","nullable":false}`, `{"type":"integer"}`, "/nullable"},
		{"nullable values", `{"type":"STRING","enum":["a"],"nullable":true}`, `{"type":["string","null"],"enum":["a",null]}`, ""},
		{"nullable alternatives", `{"anyOf":[{"type":"STRING"}],"nullable":true}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, ""},
		{"a format that only says that there are values", `{"type":"STRING","format":"enum","enum":["a"]}`, `{"type":"string","enum":["a"]}`, "/format"},
		{"values of numbers", `{"type":"INTEGER","enum":["1","two"]}`, `{"type":"integer","enum":[1,"two"]}`, ""},
		{"limits in texts", `{"type":"ARRAY","items":{"type":"STRING","maxLength":"9"},"minItems":"2"}`, `{"type":"array","minItems":2,"items":{"type":"string","maxLength":9}}`, ""},
		{"limits of numbers", `{"type":"NUMBER","minimum":0.5,"maximum":1e30}`, `{"type":"number","minimum":0.5,"maximum":1e+30}`, ""},
		{"the order of properties", `{"type":"OBJECT","properties":{"a":{},"b":{},"c":{}},"propertyOrdering":["c","a"],"required":["b"]}`, `{"type":"object","properties":{"c":{},"a":{},"b":{}},"required":["b"]}`, ""},
		{"an order of what is not declared", `{"type":"OBJECT","propertyOrdering":["c"]}`, `{"type":"object"}`, "/propertyOrdering/0"},
		{"an example", `{"example":{"a":1},"default":2,"title":"t","description":"d","pattern":"p"}`, `{"title":"t","description":"d","pattern":"p","default":2,"examples":[{"a":1}]}`, ""},
		{"no type", `{"type":"TYPE_UNSPECIFIED"}`, `{}`, "/type"},
		{"names", `{"ref":"#/defs/P","defs":{"P":{"type":"BOOLEAN"}}}`, `{"$ref":"#/$defs/P","$defs":{"P":{"type":"boolean"}}}`, ""},
		{"other properties", `{"additionalProperties":{"type":"STRING"}}`, `{"additionalProperties":{"type":"string"}}`, ""},
		{"no other properties", `{"additionalProperties":false}`, `{"additionalProperties":false}`, ""},
		{"members of JSON Schema", `{"type":"OBJECT","oneOf":[{"const":1}]}`, `{"type":"object","oneOf":[{"const":1}]}`, ""},
		{"members of JSON Schema alone", `{"oneOf":[{"const":1}]}`, `{"oneOf":[{"const":1}]}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var own geminiapi.Schema
			if err := json.Unmarshal([]byte(tt.own), &own); err != nil {
				t.Fatal(err)
			}
			got, report := schema.ToJSON(&own)
			if string(got) != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if tt.reported == "" && len(report) > 0 ||
				tt.reported != "" && (len(report) != 1 || report[0].Pointer != tt.reported) {
				t.Error(report)
			}
		})
	}
	if got, _ := schema.ToJSON(nil); string(got) != `{}` {
		t.Errorf("nothing is %s", got)
	}
}

// TestASchemaInEitherFormIsTheSame relies on FromJSON, which reads both Gemini's own form and JSON
// Schema.
func TestASchemaInEitherFormIsTheSame(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		in, err := gemini.DecodeRequest(p.Read(t))
		if err != nil {
			continue
		}
		for _, tool := range in.Tools {
			for _, f := range tool.FunctionDeclarations {
				if f.Parameters != nil {
					compared++
					checkEitherForm(t, p.Name, f.Parameters)
				}
			}
		}
	}
	if compared < corpustest.AtLeast(200) {
		t.Errorf("only %d schemas", compared)
	}
}

func checkEitherForm(t *testing.T, name string, own *geminiapi.Schema) {
	t.Helper()
	document, err := json.Marshal(own)
	if err != nil {
		t.Fatal(err)
	}
	written, _ := schema.ToJSON(own)
	want, _, errWant := schema.FromJSON(document)
	got, _, errGot := schema.FromJSON(written)
	if (errWant == nil) != (errGot == nil) {
		t.Errorf("%s: %v and %v", name, errWant, errGot)
	} else if errWant == nil {
		clearOrder(want)
		clearOrder(got)
		wantText, _ := json.Marshal(want)
		gotText, _ := json.Marshal(got)
		if diff := cmp.Diff(string(wantText), string(gotText)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// clearOrder removes the order of properties, which Gemini's own form has only if the input had it.
func clearOrder(s *geminiapi.Schema) {
	s.PropertyOrdering = nil
	for name, property := range s.Properties {
		clearOrder(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		clearOrder(s.Items)
	}
	for i := range s.AnyOf {
		clearOrder(&s.AnyOf[i])
	}
}

func TestNoSchemaIsWrittenWithSilentLoss(t *testing.T) {
	t.Parallel()
	const document = `{"type":"OBJECT","title":"t","description":"d","nullable":true,"properties":{"a":{"type":"STRING","enum":["x","y"],"format":"enum",
		"minLength":"1","maxLength":"2","pattern":"p","example":"x","default":"y"},"b":{"type":"ARRAY","items":{"type":"NUMBER","minimum":1,"maximum":2},
		"minItems":"1","maxItems":"3"},"c":{"anyOf":[{"type":"INTEGER","format":"int32"},{"ref":"#/defs/P"}]}},"propertyOrdering":["b","a","c"],
		"required":["a"],"minProperties":"1","maxProperties":"9","additionalProperties":{"type":"STRING"},"defs":{"P":{"type":"BOOLEAN"}},"later":[1]}`
	leaves, err := leaftest.All([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	var own geminiapi.Schema
	if err := json.Unmarshal([]byte(document), &own); err != nil {
		t.Fatal(err)
	}
	before, report := schema.ToJSON(&own)
	for _, l := range leaves {
		var changed geminiapi.Schema
		if json.Unmarshal(l.Change([]byte(document)), &changed) != nil {
			continue
		}
		if after, reportAfter := schema.ToJSON(&changed); string(after) == string(before) &&
			!report.Covers(l.Pointer) && !reportAfter.Covers(l.Pointer) {
			t.Errorf("%s is lost silently", l.Pointer)
		}
	}
}
