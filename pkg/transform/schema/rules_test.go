package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestResultsKeepTheRulesOfTheAPI(t *testing.T) {
	t.Parallel()
	for name, document := range schemas {
		for mode, opts := range modes {
			t.Run(name+" for "+mode, func(t *testing.T) {
				t.Parallel()
				out, _, err := schema.FromJSON(jsontext.Value(document), opts...)
				if err != nil {
					return
				}
				checkRules(t, out, isVertexAI(mode))
				if isParameters(mode) &&
					(out.Type == nil || *out.Type != geminiapi.SchemaTypeObject) {
					t.Error("the parameters are no object")
				}
			})
		}
	}
}

// keysOfAll are the keys that a schema of any type may have. keysOf are the keys of each type.
// Together with anyOf they are the 22 keys of the Gemini API.
var (
	keysOfAll = []string{"type", "format", "title", "description", "nullable", "default", "example"}
	keysOf    = map[string][]string{
		"STRING":  {"enum", "pattern", "minLength", "maxLength"},
		"NUMBER":  {"minimum", "maximum"},
		"INTEGER": {"minimum", "maximum"},
		"BOOLEAN": {},
		"NULL":    {},
		"ARRAY":   {"items", "minItems", "maxItems"},
		"OBJECT":  {"properties", "required", "propertyOrdering", "minProperties", "maxProperties"},
	}
)

func TestTheRulesKnowAllKeys(t *testing.T) {
	t.Parallel()
	known := append([]string{"anyOf"}, keysOfAll...)
	for _, keys := range keysOf {
		known = append(known, keys...)
	}
	slices.Sort(known)
	if known = slices.Compact(known); len(known) != 22 {
		t.Errorf("%d keys: %v", len(known), known)
	}
}

// checkRules checks a result and everything in it. The rules come from the API's error messages.
func checkRules(t testing.TB, out *geminiapi.Schema, forVertexAI bool) {
	t.Helper()
	var keys map[string]jsontext.Value
	if err := json.Unmarshal([]byte(encode(t, out)), &keys); err != nil {
		t.Fatal(err)
	}
	if out.AnyOf != nil {
		checkAlternatives(t, out, keys, forVertexAI)
		return
	}
	if out.Type == nil || keysOf[string(*out.Type)] == nil {
		t.Fatalf("no type: %s", encode(t, out))
	}
	for key, value := range keys {
		isOther := key == "additionalProperties" && *out.Type == geminiapi.SchemaTypeObject &&
			forVertexAI
		if !isOther && !slices.Contains(keysOfAll, key) &&
			!slices.Contains(keysOf[string(*out.Type)], key) {
			t.Errorf("%s in a schema of the type %s", key, *out.Type)
		}
		if isOther && value.Kind() == jsontext.KindBeginObject {
			var other geminiapi.Schema
			if err := json.Unmarshal(value, &other); err != nil {
				t.Fatal(err)
			}
			checkRules(t, &other, forVertexAI)
		}
	}
	checkType(t, out, forVertexAI)
}

func checkAlternatives(t testing.TB, out *geminiapi.Schema, keys map[string]jsontext.Value,
	forVertexAI bool) {
	t.Helper()
	if len(keys) != 1 {
		t.Errorf("something next to anyOf: %s", encode(t, out))
	}
	if len(out.AnyOf) < 2 {
		t.Errorf("%d alternatives", len(out.AnyOf))
	}
	for i := range out.AnyOf {
		if out.AnyOf[i].AnyOf != nil {
			t.Error("alternatives of alternatives")
		}
		checkRules(t, &out.AnyOf[i], forVertexAI)
	}
}

func checkType(t testing.TB, out *geminiapi.Schema, forVertexAI bool) {
	t.Helper()
	if out.Enum != nil && (len(out.Enum) == 0 || slices.Contains(out.Enum, "")) {
		t.Errorf("a list of values with nothing: %q", out.Enum)
	}
	if *out.Type == geminiapi.SchemaTypeArray && out.Items == nil {
		t.Error("a list without items")
	}
	if out.Items != nil {
		checkRules(t, out.Items, forVertexAI)
	}
	for _, name := range slices.Concat(out.Required, out.PropertyOrdering) {
		if _, ok := out.Properties[name]; !ok {
			t.Errorf("no property %q", name)
		}
	}
	if len(out.Properties) > 1 && out.PropertyOrdering == nil {
		t.Error("properties without an order")
	}
	sorted := slices.Sorted(slices.Values(out.Required))
	if len(slices.Compact(sorted)) != len(out.Required) {
		t.Errorf("required twice: %s", strings.Join(out.Required, ", "))
	}
	for name := range out.Properties {
		property := out.Properties[name]
		checkRules(t, &property, forVertexAI)
	}
}
