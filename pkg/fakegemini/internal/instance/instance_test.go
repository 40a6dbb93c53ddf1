package instance_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/instance"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestValuesOfSchemas(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, want string }{
		"a text":                 {`{"type":"string"}`, `"text"`},
		"a property":             {`{"type":"OBJECT","properties":{"first_name":{"type":"STRING"}}}`, `{"first_name":"first name"}`},
		"an order":               {`{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},"propertyOrdering":["b","a"]}`, `{"b":true,"a":true}`},
		"an enum":                {`{"enum":["red","blue"]}`, `"red"`},
		"an enum of numbers":     {`{"type":"INTEGER","enum":["4","5"]}`, `4`},
		"a constant":             {`{"const":{"a":null}}`, `{"a":null}`},
		"bounds":                 {`{"type":"integer","minimum":10,"maximum":20}`, `10`},
		"bounds as texts":        {`{"type":"ARRAY","items":{"type":"STRING"},"minItems":"2"}`, `["text","text 2"]`},
		"open bounds":            {`{"type":"integer","exclusiveMinimum":3,"exclusiveMaximum":5}`, `4`},
		"multiples":              {`{"type":"number","multipleOf":0.25,"minimum":7.1}`, `7.25`},
		"a low highest":          {`{"type":"integer","maximum":-5}`, `-5`},
		"a format":               {`{"type":"string","format":"date"}`, `"2026-01-02"`},
		"a pattern":              {`{"type":"string","pattern":"^[A-Z]{3}-\\d{2,4}$"}`, `"AAA-00"`},
		"a pattern and length":   {`{"type":"string","pattern":"^[a-z]+$","minLength":5}`, `"aaaaa"`},
		"lengths":                {`{"type":"string","minLength":6,"maxLength":6}`, `"textxx"`},
		"a choice":               {`{"anyOf":[{"type":"null"},{"type":"integer"}]}`, `1`},
		"a choice by reference":  {`{"$defs":{"none":{"type":"null"}},"anyOf":[{"$ref":"#/$defs/none"},{"type":"integer"}]}`, `1`},
		"null alone":             {`{"type":"null"}`, `null`},
		"null in a list":         {`{"type":["null"]}`, `null`},
		"null as a property":     {`{"type":"object","properties":{"none":{"type":["null"]}}}`, `{"none":null}`},
		"several types":          {`{"type":["null","integer"]}`, `1`},
		"all of several":         {`{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"integer"}},"required":["b"]}]}`, `{"a":1,"b":1}`},
		"a reference":            {`{"$defs":{"n":{"type":"integer"}},"type":"array","items":{"$ref":"#/$defs/n"},"minItems":2}`, `[1,2]`},
		"a tuple":                {`{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`, `[1,"text 2"]`},
		"properties of any name": {`{"type":"object","minProperties":1,"additionalProperties":{"type":"integer"}}`, `{"more":1}`},
		"a schema in itself":     {`{"type":"object","properties":{"n":{"$ref":"#"},"l":{"type":"array","items":{"$ref":"#"}}}}`, `{"n":{"n":{"n":{},"l":[{}]},"l":[{}]},"l":[{"n":{},"l":[{}]}]}`},
		"anything":               {`{}`, `"text"`},
		"true":                   {`true`, `"text"`},
		"no schema":              {``, `"text"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := string(instance.Of(jsontext.Value(test.schema), false)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestArgumentsAreAnObjectThatTheSchemaTakes(t *testing.T) {
	t.Parallel()
	const city = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`
	for name, test := range map[string]struct{ schema, want string }{
		"a choice of objects":               {`{"anyOf":[` + city + `,{"type":"object"}]}`, `{"city":"city"}`},
		"a text or an object":               {`{"anyOf":[{"type":"string"},` + city + `]}`, `{"city":"city"}`},
		"one of, with null":                 {`{"oneOf":[{"type":"null"},{"type":["null"]},` + city + `]}`, `{"city":"city"}`},
		"of the Gemini API":                 {`{"anyOf":[{"type":"STRING"},{"type":"OBJECT","properties":{"city":{"type":"STRING"}},"required":["city"]}]}`, `{"city":"city"}`},
		"an object by reference":            {`{"$defs":{"c":` + city + `,"n":{"type":"integer"}},"anyOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/c"}]}`, `{"city":"city"}`},
		"a choice between required members": {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"anyOf":[{"required":["b"]},{"required":["a"]}]}`, `{"b":1}`},
		"a text or an object, as types":     {`{"type":["string","object"],"properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"a":1}`},
		"a choice below the root":           {`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"object"}]}},"required":["a"]}`, `{"a":1}`},
		"a reference to itself":             {`{"anyOf":[{"$ref":"#"},{"type":"object"}]}`, `{}`},
		"a constant that is not an object":  {`{"const":1}`, `{}`},
		"no schema":                         {``, `{}`},
	} {
		if got := string(instance.Arguments(jsontext.Value(test.schema))); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

func TestArgumentsAreTheRequiredOnes(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string"}},"required":["city"]}`
	if got := string(instance.Of(jsontext.Value(schema), true)); got != `{"city":"city"}` {
		t.Errorf("got %s", got)
	}
}

// Nested counts in a schema do not fill the memory.
func TestHostileSchemasComeToAnEnd(t *testing.T) {
	t.Parallel()
	schema := `{"type":"integer"}`
	for range 20 {
		schema = `{"type":"array","minItems":"1000000000","items":` + schema + `}`
	}
	for _, hostile := range []string{schema, `{"$ref":"#"}`,
		`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`,
		`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`,
		`{"pattern":"((((a{1000}){1000}){1000}){1000})"}`, `{"pattern":"(((a{30}){30}){30})"}`} {
		if got := instance.Of(jsontext.Value(hostile), false); len(got) > 64<<10 || !got.IsValid() {
			t.Errorf("%.60s: %d bytes", hostile, len(got))
		}
	}
}

// A schema that refers to itself has a small value if one alternative ends, even if that is not the
// first.
func TestValuesOfSchemasInThemselvesAreSmallAndSatisfyThem(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"optional children, several at once": `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"name":{"type":"string"},
			"children":{"type":"array","minItems":20,"items":{"$ref":"#/$defs/n"}}},"required":["name"]}}}`,
		"many optional lists": `{"type":"object","properties":{"a":{"type":"array","minItems":9,"items":{"$ref":"#"}},"b":{"type":"array","minItems":9,"items":{"$ref":"#"}}}}`,
		"the way out is last": `{"$ref":"#/$defs/e","$defs":{"e":{"anyOf":[{"$ref":"#/$defs/pair"},{"$ref":"#/$defs/leaf"}]},
			"pair":{"type":"object","properties":{"of":{"type":"array","minItems":8,"items":{"$ref":"#/$defs/e"}}},"required":["of"]},
			"leaf":{"type":"object","properties":{"value":{"type":"integer"}},"required":["value"]}}}`,
		"the way out is two steps away": `{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","required":["next"],"properties":{"next":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}]}}},
			"b":{"type":"object","required":["end"],"properties":{"end":{"type":"array","minItems":3,"items":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"boolean"}]}}}}}}`,
		"a list that must be long": `{"type":"array","minItems":5000,"items":{"type":"object","properties":{"n":{"type":"integer"}}}}`,
	} {
		compiled := compile(t, name, jsontext.Value(schema))
		if compiled == nil {
			t.Fatalf("%s: no schema", name)
		}
		for _, onlyRequired := range []bool{false, true} {
			value := instance.Of(jsontext.Value(schema), onlyRequired)
			if err := compiled.Validate(parsed(t, value)); err != nil || len(value) > 64<<10 {
				t.Errorf("%s: %d bytes: %.200s: %v", name, len(value), value, err)
			}
		}
	}
}

// A schema without a value within the budget is cut off early.
func TestASchemaWithoutAWayOutHasABoundedValue(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object","required":["a"],"properties":{"a":{"type":"array","minItems":2,"items":{"$ref":"#"}}}}`,
		`{"type":"array","minItems":10000,"items":{"type":"string","minLength":10000}}`,
		`{"type":"array","minItems":10000,"items":{"const":"` + strings.Repeat("long ", 1000) +
			`"}}`,
		`{"type":"object","minProperties":10000}`,
		`{"type":"array","minItems":10000,"items":{"description":"` +
			strings.Repeat("long ", 10_000) +
			`","type":"array","minItems":9,"items":{"type":"integer"}}}`,
	} {
		if value := instance.Of(jsontext.Value(schema), false); len(value) > 512<<10 ||
			!value.IsValid() {
			t.Errorf("%.60s: %d bytes", schema, len(value))
		}
	}
}

// Values made for all recorded schemas satisfy them.
func TestValuesSatisfyRecordedSchemas(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		request, err := gemini.DecodeRequest(p.Read(t))
		if err != nil {
			continue
		}
		for _, schema := range schemasOf(t, request) {
			compiled := compile(t, p.Name, schema)
			if compiled == nil {
				continue
			}
			for _, onlyRequired := range []bool{false, true} {
				value := instance.Of(schema, onlyRequired)
				if err := compiled.Validate(parsed(t, value)); err != nil {
					t.Errorf("%s: %s does not satisfy %s: %v", p.Name, value, schema, err)
				}
			}
			count++
		}
	}
	if count < corpustest.AtLeast(200) {
		t.Errorf("only %d schemas", count)
	}
}

// schemasOf returns the schemas of functions and of the answer.
func schemasOf(t *testing.T, r *geminiapi.GenerateContentRequest) []jsontext.Value {
	t.Helper()
	var out []jsontext.Value
	add := func(typed *geminiapi.Schema, raw jsontext.Value) {
		if typed != nil {
			encoded, err := json.Marshal(typed)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, encoded)
		}
		if len(raw) > 0 {
			out = append(out, raw)
		}
	}
	for _, tool := range r.Tools {
		for _, f := range tool.FunctionDeclarations {
			add(f.Parameters, f.ParametersJSONSchema)
		}
	}
	if c := r.GenerationConfig; c != nil {
		add(c.ResponseSchema, c.ResponseJSONSchema)
	}
	return out
}

// compile compiles a schema; a Schema of the Gemini API is first converted to JSON Schema. It
// returns nil for an invalid schema.
func compile(t *testing.T, name string, schema jsontext.Value) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", parsed(t, standard(schema))); err != nil {
		t.Logf("%s: %v", name, err)
		return nil
	}
	compiled, err := compiler.Compile("schema.json")
	if err != nil {
		t.Logf("%s: %v", name, err)
		return nil
	}
	return compiled
}

// standard converts the Gemini API's own dialect: types in capitals, counts as texts, nullable.
func standard(schema jsontext.Value) jsontext.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	for name, value := range jsonx.Members(schema) {
		switch name {
		case "type":
			if jsonx.Member(schema, "enum") != nil &&
				strings.Contains(strings.ToLower(string(value)), "integer") {
				continue // whose values are texts
			}
			value = bytes.ToLower(value)
		case "enum":
			if kind := strings.ToLower(string(jsonx.Member(schema, "type"))); kind == `"integer"` {
				continue
			}
		case "minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties":
			value = bytes.Trim(value, `"`)
		case "properties", "$defs", "defs":
			value = standardMembers(value)
		case "items":
			value = standard(value)
		case "format":
			if !strings.Contains(`"date" "date-time" "uuid" "email" "uri"`, string(value)) {
				continue
			}
		case "propertyOrdering", "example", "nullable":
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		quoted, _ := jsontext.AppendQuote(nil, name)
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

func standardMembers(properties jsontext.Value) jsontext.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	for name, value := range jsonx.Members(properties) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		quoted, _ := jsontext.AppendQuote(nil, name)
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(standard(value))
	}
	b.WriteByte('}')
	return b.Bytes()
}

func parsed(t *testing.T, value jsontext.Value) any {
	t.Helper()
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return out
}
