package schema_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// conversion is a document with its result, and the kinds and pointers of its report entries.
type conversion struct {
	name, document, want string
	report               []string
}

func (test conversion) check(t *testing.T, opts ...schema.Option) {
	t.Helper()
	got, report := visible(t, test.document, opts...)
	if diff := cmp.Diff(test.want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	var entries []string
	for _, e := range report {
		entries = append(entries, string(e.Kind)+" "+e.Pointer)
	}
	if diff := cmp.Diff(test.report, entries); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// The codes refer to the complaints about other converters that these tests answer.
func TestComplaintsAboutSchemas(t *testing.T) {
	t.Parallel()
	for _, test := range []conversion{
		{"J1 unknown names are not sent",
			`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string","encrypted":true}},"additionalProperties":false}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, []string{
				"lost /$schema",
				"lost /additionalProperties",
				"lost /properties/a/encrypted",
			}},
		{"J2 const, exclusiveMinimum and propertyNames",
			`{"type":"object","properties":{"kind":{"type":"string","const":"a"},"n":{"type":"integer","exclusiveMinimum":0}},"propertyNames":{"pattern":"^[a-z]"}}`,
			`{"properties":{"kind":{"enum":["a"],"type":"STRING"},"n":{"minimum":1,"type":"INTEGER"}},"propertyOrdering":["kind","n"],"type":"OBJECT"}`, []string{
				"lost /propertyNames",
			}},
		{"J3 listed integers and booleans",
			`{"type":"object","properties":{"level":{"type":"integer","enum":[0,1,2]},"size":{"type":"integer","enum":[10,50]},"on":{"type":"boolean","enum":[true]}}}`,
			`{"properties":{"level":{"maximum":2,"minimum":0,"type":"INTEGER"},"on":{"description":"Always true.","type":"BOOLEAN"},"size":{"description":"One of 10, 50.","maximum":50,"minimum":10,"type":"INTEGER"}},"propertyOrdering":["level","size","on"],"type":"OBJECT"}`, []string{
				"approximated /properties/size/enum",
				"approximated /properties/on/enum",
			}},
		{"J4 lists of types",
			`{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["string","integer"]},"c":{"const":"x"}}}`,
			`{"properties":{"a":{"nullable":true,"type":"STRING"},"b":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]},"c":{"enum":["x"],"type":"STRING"}},"propertyOrdering":["a","b","c"],"type":"OBJECT"}`, []string{
				"added /properties/c/type",
			}},
		{"J5 objects without properties",
			`{"type":"object","properties":{"empty":{"type":"object","properties":{}},"free":{"type":"object"}}}`,
			`{"properties":{"empty":{"properties":{},"type":"OBJECT"},"free":{"type":"OBJECT"}},"propertyOrdering":["empty","free"],"type":"OBJECT"}`, []string{
				"approximated /properties/free",
			}},
		{"J5 parameters without properties", `{"type":"object","properties":{}}`,
			`{"properties":{},"type":"OBJECT"}`, nil},
		{"J6 no constraint is lost silently",
			`{"type":"object","properties":{"t":{"type":["string","number"]},"c":{"const":3},"r":{"$ref":"#/$defs/r"},"e":{"type":"integer","enum":[1,4]}},"$defs":{"r":{"type":"string","pattern":"^x"}}}`,
			`{"properties":{"c":{"maximum":3,"minimum":3,"type":"INTEGER"},"e":{"description":"One of 1, 4.","maximum":4,"minimum":1,"type":"INTEGER"},"r":{"pattern":"^x","type":"STRING"},"t":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}},"propertyOrdering":["t","c","r","e"],"type":"OBJECT"}`, []string{
				"added /properties/c/type",
				"approximated /properties/e/enum",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t)
		})
	}
	t.Run("J7 recursion ends with an error that has both ends", func(t *testing.T) {
		t.Parallel()
		_, _, err := schema.FromJSON(jsontext.Value(`{"$ref":"#/$defs/n","$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}}}}}`))
		var refusal *schema.Error
		if !errors.Is(err, schema.ErrCycle) || !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		if refusal.Pointer != "/$defs/n/properties/next/$ref" || refusal.Target != "/$defs/n" {
			t.Errorf("from %s to %s", refusal.Pointer, refusal.Target)
		}
	})
}

func TestConversions(t *testing.T) {
	t.Parallel()
	for _, test := range []conversion{
		{"the order of properties survives",
			`{"type":"object","properties":{"zebra":{"type":"string"},"apple":{"type":"string"},"mango":{"type":"string"}}}`,
			`{"properties":{"apple":{"type":"STRING"},"mango":{"type":"STRING"},"zebra":{"type":"STRING"}},"propertyOrdering":["zebra","apple","mango"],"type":"OBJECT"}`,
			nil},
		{"one property needs no order", `{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, nil},
		{"an order of its own stays",
			`{"type":"OBJECT","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"propertyOrdering":["b","a","c"]}`,
			`{"properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"propertyOrdering":["b","a"],"type":"OBJECT"}`, []string{
				"lost /propertyOrdering/2",
			}},
		{"the words of OpenAPI and Gemini",
			`{"type":"STRING","nullable":true,"example":"x","default":"y","format":"uuid"}`,
			`{"default":"y","example":"x","format":"uuid","nullable":true,"type":"STRING"}`, nil},
		{"any value", `{"type":"object","properties":{"a":{},"b":true,"c":{"description":"d"},"d":{"type":"array"}}}`,
			`{"properties":{"a":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"NUMBER"},{"nullable":true,"type":"BOOLEAN"}]},"b":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"NUMBER"},{"nullable":true,"type":"BOOLEAN"}]},"c":{"anyOf":[{"description":"d","nullable":true,"type":"STRING"},{"description":"d","nullable":true,"type":"NUMBER"},{"description":"d","nullable":true,"type":"BOOLEAN"}]},"d":{"items":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"NUMBER"},{"nullable":true,"type":"BOOLEAN"}]},"type":"ARRAY"}},"propertyOrdering":["a","b","c","d"],"type":"OBJECT"}`, []string{
				"approximated /properties/a",
				"approximated /properties/b",
				"approximated /properties/c",
				"added /properties/d/items",
			}},
		{"no value", `{"type":"object","properties":{"a":false,"b":{"type":"string"}},"required":["a","b"]}`,
			`{"properties":{"b":{"type":"STRING"}},"required":["b"],"type":"OBJECT"}`, []string{
				"lost /properties/a",
				"lost /required/0",
			}},
		{"types that follow from other keywords",
			`{"properties":{"a":{"items":{"type":"string"}},"b":{"minLength":1},"c":{"maximum":2},"d":{"enum":["x"]},"e":{"format":"date"},"f":{"format":"int32"}}}`,
			`{"properties":{"a":{"items":{"type":"STRING"},"type":"ARRAY"},"b":{"minLength":"1","type":"STRING"},"c":{"maximum":2,"type":"NUMBER"},"d":{"enum":["x"],"type":"STRING"},"e":{"format":"date","type":"STRING"},"f":{"format":"int32","type":"INTEGER"}},"propertyOrdering":["a","b","c","d","e","f"],"type":"OBJECT"}`, []string{
				"added /type",
				"added /properties/a/type",
				"added /properties/b/type",
				"added /properties/c/type",
				"added /properties/d/type",
				"added /properties/e/type",
				"added /properties/f/type",
			}},
		{"a list without a type", `{"type":"array","items":{},"maxItems":3}`,
			`{"items":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"NUMBER"},{"nullable":true,"type":"BOOLEAN"}]},"maxItems":"3","type":"ARRAY"}`, []string{
				"approximated /items",
			}},
		{"one example of several", `{"type":"string","examples":["a","b"]}`,
			`{"example":"a","type":"STRING"}`, []string{
				"lost /examples/1",
			}},
		{"lengths are exact",
			`{"type":"array","items":{"type":"string"},"minItems":3.0,"maxItems":9223372036854775807}`,
			`{"items":{"type":"STRING"},"maxItems":"9223372036854775807","minItems":"3","type":"ARRAY"}`,
			nil},
		{"lengths beyond what there is",
			`{"type":"array","items":{"type":"string"},"minItems":-1,"maxItems":9223372036854775808}`,
			`{"items":{"type":"STRING"},"type":"ARRAY"}`, []string{
				"lost /minItems",
				"lost /maxItems",
			}},
		{"lengths that are no whole numbers", `{"type":"string","minLength":2.5,"maxLength":3e2}`,
			`{"maxLength":"300","type":"STRING"}`, []string{
				"lost /minLength",
			}},
		{"numbers beyond a float64",
			`{"type":"integer","minimum":9007199254740993,"maximum":9007199254740992}`,
			`{"maximum":9007199254740992,"minimum":9007199254740992,"type":"INTEGER"}`, []string{
				"approximated /minimum",
			}},
		{"exclusive bounds",
			`{"type":"object","properties":{"i":{"type":"integer","exclusiveMinimum":-1,"exclusiveMaximum":10},"n":{"type":"number","exclusiveMinimum":0},"f":{"type":"integer","exclusiveMinimum":1.5}}}`,
			`{"properties":{"f":{"minimum":2,"type":"INTEGER"},"i":{"maximum":9,"minimum":0,"type":"INTEGER"},"n":{"minimum":0,"type":"NUMBER"}},"propertyOrdering":["i","n","f"],"type":"OBJECT"}`, []string{
				"approximated /properties/n/exclusiveMinimum",
			}},
		{"exclusive bounds of draft 4",
			`{"type":"integer","minimum":0,"exclusiveMinimum":true,"maximum":10,"exclusiveMaximum":false}`,
			`{"maximum":10,"minimum":1,"type":"INTEGER"}`, nil},
		{"of two bounds the stricter one",
			`{"type":"integer","minimum":3,"exclusiveMinimum":3,"maximum":10,"exclusiveMaximum":20}`,
			`{"maximum":10,"minimum":4,"type":"INTEGER"}`, []string{
				"approximated /minimum",
				"approximated /exclusiveMaximum",
			}},
		{"listed values of many kinds", `{"enum":["a",1,null,1.5,true]}`,
			`{"anyOf":[{"enum":["a"],"nullable":true,"type":"STRING"},{"description":"One of 1, 1.5.","maximum":1.5,"minimum":1,"nullable":true,"type":"NUMBER"},{"description":"Always true.","nullable":true,"type":"BOOLEAN"}]}`, []string{
				"added /type",
				"approximated /enum",
				"approximated /enum",
			}},
		{"listed numbers that are strings", `{"type":"string","enum":["a",1]}`,
			`{"enum":["a","1"],"type":"STRING"}`, []string{
				"approximated /enum/1",
			}},
		{"listed values that are impossible", `{"type":"integer","enum":["a"]}`,
			`{"type":"INTEGER"}`, []string{
				"lost /enum/0",
			}},
		{"a list with null is nullable", `{"type":["string","null"],"enum":["a",null]}`,
			`{"enum":["a"],"nullable":true,"type":"STRING"}`, nil},
		{"a choice with null is nullable",
			`{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"default":null,"title":"N","description":"d"}`,
			`{"default":null,"description":"d","minimum":0,"nullable":true,"title":"N","type":"INTEGER"}`,
			nil},
		{"oneOf becomes anyOf", `{"oneOf":[{"type":"string"},{"type":"integer"}]}`,
			`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}`, []string{
				"approximated /oneOf",
			}},
		{"one alternative is invalid", `{"anyOf":[{"type":"string","maxLength":3}],"description":"d"}`,
			`{"description":"d","maxLength":"3","type":"STRING"}`, nil},
		{"what is next to a choice is in each alternative",
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}],"description":"d"}`,
			`{"anyOf":[{"description":"d","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"propertyOrdering":["a","b"],"required":["a"],"type":"OBJECT"},{"description":"d","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"propertyOrdering":["a","b"],"required":["b"],"type":"OBJECT"}]}`,
			nil},
		{"descriptions of a choice and of its alternatives",
			`{"description":"outer","title":"O","anyOf":[{"type":"string","description":"inner","title":"I"},{"type":"boolean"}]}`,
			`{"anyOf":[{"description":"outer\n\ninner","title":"I","type":"STRING"},{"description":"outer","title":"O","type":"BOOLEAN"}]}`, []string{
				"approximated /title",
			}},
		{"a default goes to its alternative",
			`{"anyOf":[{"type":"string"},{"type":"integer"}],"default":3,"example":"x"}`,
			`{"anyOf":[{"example":"x","type":"STRING"},{"default":3,"type":"INTEGER"}]}`, nil},
		{"a default of no alternative",
			`{"anyOf":[{"type":"string"},{"type":"integer"}],"default":true}`,
			`{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}`, []string{
				"lost /default",
			}},
		{"alternatives that contradict what is around them",
			`{"type":"string","anyOf":[{"maxLength":3},{"type":"integer"},false]}`,
			`{"maxLength":"3","type":"STRING"}`, []string{
				"lost /anyOf/1/type",
				"lost /anyOf/1",
				"lost /anyOf/2",
			}},
		{"allOf is merged",
			`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"},"a":{"minLength":2}},"required":["b"]}]}`,
			`{"properties":{"a":{"minLength":"2","type":"STRING"},"b":{"type":"INTEGER"}},"propertyOrdering":["a","b"],"required":["a","b"],"type":"OBJECT"}`,
			nil},
		{"what allOf shares",
			`{"allOf":[{"type":["string","null"],"enum":["a","b"],"maxLength":5},{"type":"string","enum":["b","c"],"maxLength":3}]}`,
			`{"enum":["b"],"maxLength":"3","type":"STRING"}`, []string{
				"approximated /allOf/0/enum/0",
				"approximated /allOf/1/enum",
				"approximated /allOf/0/maxLength",
			}},
		{"what contradicts itself",
			`{"allOf":[{"type":"string","pattern":"a"},{"type":"integer"},{"pattern":"b"}]}`,
			`{"pattern":"a","type":"STRING"}`, []string{
				"lost /allOf/1/type",
				"lost /allOf/2/pattern",
			}},
		{"a reference with other keywords",
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/n","description":"mine","maxLength":3}},"$defs":{"n":{"type":"string","description":"theirs","minLength":1},"unused":{"type":"string"}}}`,
			`{"properties":{"a":{"description":"mine","maxLength":"3","minLength":"1","type":"STRING"}},"type":"OBJECT"}`, []string{
				"approximated /$defs/n/description",
				"lost /$defs/unused",
			}},
		{"references by anchor, $id and pointer",
			`{"type":"object","properties":{"a":{"$ref":"#x"},"b":{"$ref":"item"},"c":{"$ref":"#/$defs/with~1slash%20and~0tilde"}},"$defs":{"1":{"$anchor":"x","type":"string"},"2":{"$id":"item","type":"integer"},"with/slash and~tilde":{"type":"boolean"}}}`,
			`{"properties":{"a":{"type":"STRING"},"b":{"type":"INTEGER"},"c":{"type":"BOOLEAN"}},"propertyOrdering":["a","b","c"],"type":"OBJECT"}`,
			nil},
		{"a reference used twice",
			`{"type":"array","items":{"type":"object","properties":{"a":{"$ref":"#/$defs/m"},"b":{"$ref":"#/$defs/m"}}},"$defs":{"m":{"type":"number","multipleOf":5}}}`,
			`{"items":{"properties":{"a":{"type":"NUMBER"},"b":{"type":"NUMBER"}},"propertyOrdering":["a","b"],"type":"OBJECT"},"type":"ARRAY"}`, []string{
				"lost /$defs/m/multipleOf",
			}},
		{"tuples", `{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false}`,
			`{"items":{"type":"NUMBER"},"maxItems":"2","type":"ARRAY"}`, []string{
				"approximated /prefixItems",
			}},
		{"tuples of older drafts",
			`{"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":{"type":"null"}}`,
			`{"items":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"INTEGER"}]},"type":"ARRAY"}`, []string{
				"approximated /items",
				"approximated /additionalItems",
			}},
		{"keywords of another type",
			`{"type":"string","minimum":1,"properties":{"a":{"type":"string"}}}`,
			`{"type":"STRING"}`, []string{
				"lost /minimum",
				"lost /properties",
			}},
		{"malformed keywords",
			`{"type":"object","properties":{"a":{"type":"text","description":5}},"required":true}`,
			`{"properties":{"a":{"anyOf":[{"nullable":true,"type":"STRING"},{"nullable":true,"type":"NUMBER"},{"nullable":true,"type":"BOOLEAN"}]}},"type":"OBJECT"}`, []string{
				"lost /required",
				"lost /properties/a/type",
				"lost /properties/a/description",
				"approximated /properties/a",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t)
		})
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	for _, test := range []conversion{
		{"an object says itself", `{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, nil},
		{"a missing type is that of an object", `{"properties":{"a":{"type":"string"}}}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, []string{
				"added /type",
			}},
		{"no schema at all", `{}`,
			`{"type":"OBJECT"}`, []string{
				"added /type",
				"approximated ",
			}},
		{"an object or null",
			`{"type":["object","null"],"properties":{"a":{"type":"string"}},"nullable":true}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, []string{
				"approximated /type",
				"lost /nullable",
			}},
		{"one object for two that differ",
			`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"x":{"type":"integer"}},"required":["kind"]}]}`,
			`{"properties":{"kind":{"enum":["a","b"],"type":"STRING"},"x":{"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]}},"propertyOrdering":["kind","x"],"required":["kind"],"type":"OBJECT"}`, []string{
				"added /oneOf/0/properties/kind/type",
				"added /oneOf/1/properties/kind/type",
				"approximated /oneOf/0",
				"approximated /oneOf/1",
			}},
		{"one object that wants one of two",
			`{"type":"object","description":"d","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"anyOf":[{"required":["b"],"maxProperties":2},{"maxProperties":3}]}`,
			`{"description":"d","maxProperties":"3","properties":{"a":{"type":"STRING"},"b":{"type":"STRING"}},"propertyOrdering":["a","b"],"required":["a"],"type":"OBJECT"}`, []string{
				"approximated /anyOf/0",
				"approximated /anyOf/1",
			}},
		{"an object or no object",
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"null"},{"type":"string"}]}`,
			`{"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`, []string{
				"lost /anyOf/2/type",
				"lost /anyOf/2",
				"lost /anyOf/1",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t, schema.ForParameters())
		})
	}
}

func TestVertexAIKeepsAdditionalProperties(t *testing.T) {
	t.Parallel()
	for _, test := range []conversion{
		{"none", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"additionalProperties":false,"properties":{"a":{"type":"STRING"}},"type":"OBJECT"}`,
			nil},
		{"any", `{"type":"object","additionalProperties":true}`,
			`{"additionalProperties":true,"type":"OBJECT"}`, nil},
		{"those of a schema",
			`{"type":"object","additionalProperties":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer","exclusiveMinimum":0}}}`,
			`{"additionalProperties":{"minimum":1,"type":"INTEGER"},"type":"OBJECT"}`, nil},
		{"those of two schemas",
			`{"type":"object","additionalProperties":{"type":"string"},"allOf":[{"additionalProperties":{"maxLength":2}},{"additionalProperties":true}]}`,
			`{"additionalProperties":{"maxLength":"2","type":"STRING"},"type":"OBJECT"}`, nil},
		{"none of one schema",
			`{"type":"object","additionalProperties":{"type":"string"},"allOf":[{"additionalProperties":false}]}`,
			`{"additionalProperties":false,"type":"OBJECT"}`,
			[]string{"approximated /additionalProperties"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.check(t, schema.ForVertexAI())
		})
	}
}

func TestAResultSharesNoMemoryWithItsDocument(t *testing.T) {
	t.Parallel()
	document := jsontext.Value(schemas["tool"])
	out, _, err := schema.FromJSON(document)
	if err != nil {
		t.Fatal(err)
	}
	before := encode(t, out)
	clear(document)
	if after := encode(t, out); after != before {
		t.Errorf("%s became %s", before, after)
	}
}
