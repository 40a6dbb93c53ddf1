package schema_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

func TestRandomSchemas(t *testing.T) {
	t.Parallel()
	converted := 0
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	for seed := range uint64(rounds) {
		g := generator{rand.New(rand.NewPCG(seed, 1))}
		document := g.document()
		for mode, opts := range modes {
			out, report, err := schema.FromJSON(jsontext.Value(document), opts...)
			if err != nil {
				checkError(t, err)
				continue
			}
			converted++
			checkRules(t, out, isVertexAI(mode))
			checkPointers(t, []byte(document), report)
			checkChanges(t, mode, document, opts...)
			first := encode(t, out)
			if again, _ := visible(t, withSmallTypes(first), opts...); again != first &&
				!nullAlternative.MatchString(first) {
				t.Errorf("%s: %s converts to %s", mode, first, again)
			}
			if t.Failed() {
				t.Fatalf("seed %d, %s: %s\n%s\n%s", seed, mode, document, first, lines(report))
			}
		}
	}
	if converted < rounds {
		t.Errorf("only %d of %d conversions had a result", converted, rounds*len(modes))
	}
}

// nullAlternative is in results with an alternative for null that has other keywords. These are
// lost in a second conversion.
var nullAlternative = regexp.MustCompile(`"type":"NULL"}[],]`)

// generator makes schemas with any keywords anywhere, mostly with sensible values.
type generator struct{ *rand.Rand }

func (g generator) document() string {
	defs := make([]string, 4)
	for i := range defs {
		defs[i] = fmt.Sprintf(`"d%d":%s`, i, g.schema(2, i+1)) // may refer to those after it
	}
	body := g.members(3, 0)
	return `{` + strings.Join(append(body, `"$defs":{`+strings.Join(defs, ",")+`}`), ",") + `}`
}

func (g generator) schema(depth, definition int) string {
	switch {
	case g.IntN(12) == 0:
		return g.pick("true", "false", "{}")
	case depth == 0:
		return `{"type":"` + g.pick("string", "integer", "boolean", "null", "number") + `"}`
	}
	return `{` + strings.Join(g.members(depth, definition), ",") + `}`
}

func (g generator) members(depth, definition int) []string {
	var out []string
	isThere := map[string]bool{}
	for range 1 + g.IntN(5) {
		name := g.pick("type", "type", "type", "properties", "properties", "items", "anyOf", "enum",
			"allOf", "oneOf", "$ref",
			"nullable", "const", "title", "description", "default", "example", "examples", "format",
			"pattern", "minLength",
			"maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "required",
			"propertyOrdering",
			"minProperties", "maxProperties", "additionalProperties", "prefixItems",
			"additionalItems", "minItems", "maxItems",
			"not", "uniqueItems", "x-unknown", "contentEncoding", "multipleOf", "$comment")
		if !isThere[name] {
			isThere[name] = true
			out = append(out, `"`+name+`":`+g.member(name, depth-1, definition))
		}
	}
	return out
}

func (g generator) member(name string, depth, definition int) string {
	switch name {
	case "type":
		return g.pick(`"string"`, `"object"`, `"object"`, `"array"`, `"number"`, `"integer"`,
			`"boolean"`, `"null"`,
			`["string","null"]`, `["integer","string"]`, `["number","integer"]`,
			`["object","array","null"]`)
	case "properties":
		return `{"a":` + g.schema(depth, definition) + `,"b":` + g.schema(depth, definition) + `}`
	case "items", "additionalProperties", "additionalItems", "not":
		return g.pick(g.schema(depth, definition), g.schema(depth, definition),
			`[`+g.schema(depth, definition)+`]`, "false")
	case "anyOf", "oneOf", "allOf", "prefixItems":
		return g.pick(`[`+g.schema(depth, definition)+`,`+g.schema(depth, definition)+`]`,
			`[`+g.schema(depth, definition)+`]`,
			`[`+g.schema(depth, definition)+`,{"type":"null"}]`)
	case "$ref":
		// the last one does not exist
		return fmt.Sprintf(`"#/$defs/d%d"`, min(definition+g.IntN(3), 4))
	case "enum", "examples":
		return g.pick(`["x","y"]`, `["y","z",null]`, `[1,2,3]`, `[1,5]`, `[true]`,
			`["x",2,0.5,true,null,{}]`, `[null]`)
	case "required", "propertyOrdering":
		return g.pick(`["a"]`, `["b","a"]`, `["c"]`, `[]`)
	case "exclusiveMinimum", "exclusiveMaximum", "nullable", "uniqueItems":
		return g.pick(`true`, `false`, `2`, `7.5`)
	case "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
		"maxProperties", "multipleOf":
		return g.pick(`1`, `2`, `3.0`, `0.25`, `"2"`, `-1`)
	case "const", "default", "example":
		return g.pick(`"x"`, `1`, `0.5`, `true`, `null`, `{"a":1}`, `[1]`)
	default:
		return g.pick(`"x"`, `"date"`, `"int32"`, `"a text"`)
	}
}

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }
