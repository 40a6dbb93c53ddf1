package instance

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// facets are schemas that one value must satisfy together: a schema, its references, all of allOf,
// one of anyOf.
type facets []jsontext.Value

// maxFacets stops circular references.
const maxFacets = 64

// resolveAll is [maker.resolve] for several schemas.
func (m *maker) resolveAll(schemas facets, depth int) facets {
	var out facets
	for _, schema := range schemas {
		out = append(out, m.resolve(schema, depth)...)
	}
	return out
}

// resolve collects the schemas that a value of a schema must satisfy.
func (m *maker) resolve(schema jsontext.Value, depth int) facets {
	out := facets{schema}
	for i := 0; i < len(out) && len(out) < maxFacets && m.spend(len(out[i])/schemaPerValue); i++ {
		for name, value := range jsonx.Members(out[i]) {
			switch name {
			case "$ref", "ref":
				reference, _ := strconv.Unquote(string(value))
				out = append(out, m.target(reference))
			case "allOf":
				out = append(out, jsonx.Elements(value)...)
			case "anyOf", "oneOf":
				out = append(out, m.choice(jsonx.Elements(value), depth)...)
			}
		}
	}
	return out
}

// choice picks one of several schemas: the first that is not null, or, deep down, the first with
// the least nesting. At the root of arguments it picks the first object schema.
func (m *maker) choice(options []jsontext.Value, depth int) []jsontext.Value {
	if len(options) == 0 {
		return nil
	}
	rank := func(option jsontext.Value) int {
		rank := 0
		if m.isLeast || depth >= optionalDepth {
			rank = 2 * m.height(option)
		}
		switch kind := m.targets(option).kind(); {
		case kind == "null":
			rank++
		case kind != "object" && m.wantsObject:
			rank = maxRank
		}
		return rank
	}
	return []jsontext.Value{slices.MinFunc(options,
		func(a, b jsontext.Value) int { return cmp.Compare(rank(a), rank(b)) })}
}

// maxRank is above the rank of any schema that fits.
const maxRank = math.MaxInt

// targets returns a schema and the chain of schemas that it refers to.
func (m *maker) targets(schema jsontext.Value) facets {
	out := facets{schema}
	for i := 0; i < len(out) && len(out) < maxFacets; i++ {
		for _, name := range []string{"$ref", "ref"} {
			if reference, err := strconv.Unquote(string(jsonx.Member(out[i], name))); err == nil {
				out = append(out, m.target(reference))
			}
		}
	}
	return out
}

// first returns the first member with a name, or nil.
func (f facets) first(name string) jsontext.Value {
	for _, schema := range f {
		if value := jsonx.Member(schema, name); value != nil && value.Kind() != jsontext.KindNull {
			return value
		}
	}
	return nil
}

// all returns all members with a name.
func (f facets) all(name string) facets {
	var out facets
	for _, schema := range f {
		if value := jsonx.Member(schema, name); value != nil {
			out = append(out, value)
		}
	}
	return out
}

// given returns a value that a schema contains: const, or one of enum. Enums of the Gemini API are
// texts even if the value is a number.
func (f facets) given(index int) jsontext.Value {
	if value := rawMember(f, "const"); value != nil {
		return value
	}
	var values []jsontext.Value
	for _, value := range jsonx.Elements(f.first("enum")) {
		if value.Kind() != jsontext.KindNull {
			values = append(values, value)
		}
	}
	if len(values) == 0 {
		return nil
	}
	value := values[index%len(values)]
	if kind := f.kind(); (kind == "integer" || kind == "number") &&
		value.Kind() == jsontext.KindString {
		if number, err := strconv.Unquote(string(value)); err == nil &&
			jsontext.Value(number).Kind() == jsontext.KindNumber {
			return jsontext.Value(number)
		}
	}
	return value
}

// rawMember is first, but null counts as a value.
func rawMember(f facets, name string) jsontext.Value {
	for _, schema := range f {
		if value := jsonx.Member(schema, name); value != nil {
			return value
		}
	}
	return nil
}

// typesByKeyword are the types that the other members of a schema without a type imply.
var typesByKeyword = []struct{ keyword, kind string }{
	{"properties", "object"}, {"required", "object"}, {"additionalProperties", "object"},
	{"minProperties", "object"},
	{"items", "array"}, {"prefixItems", "array"}, {"minItems", "array"},
	{"minimum", "number"}, {"maximum", "number"}, {"multipleOf", "number"},
}

// kind is the JSON Schema type of the value, or "string" if the schema does not say.
func (f facets) kind() string {
	for _, schema := range f {
		types := jsonx.Member(schema, "type")
		if listed := jsonx.Elements(types); types.Kind() == jsontext.KindBeginArray &&
			len(listed) > 0 {
			for _, one := range listed {
				if kind := typeName(one); kind != "null" {
					return kind
				}
			}
			return "null"
		}
		if kind := typeName(types); kind != "" && kind != "type_unspecified" {
			return kind
		}
	}
	for _, byKeyword := range typesByKeyword {
		if f.first(byKeyword.keyword) != nil {
			return byKeyword.kind
		}
	}
	return "string"
}

func typeName(value jsontext.Value) string {
	name, _ := strconv.Unquote(string(value))
	return strings.ToLower(name)
}

// names returns the texts of all lists with a name.
func (f facets) names(name string) []string {
	var out []string
	listed := make(map[string]bool)
	for _, list := range f.all(name) {
		for _, element := range jsonx.Elements(list) {
			if text, err := jsontext.AppendUnquote(nil, element); err == nil &&
				!listed[string(text)] {
				out, listed[string(text)] = append(out, string(text)), true
			}
		}
	}
	return out
}

// properties returns the properties of an object by name, and the names in order. propertyOrdering
// may set the order.
type properties struct {
	names []string
	of    map[string]facets
}

func (f facets) properties() properties {
	p := properties{of: make(map[string]facets)}
	var declared []string
	for _, object := range f.all("properties") {
		for name, schema := range jsonx.Members(object) {
			if len(p.of[name]) == 0 {
				declared = append(declared, name)
			}
			p.of[name] = append(p.of[name], schema)
		}
	}
	listed := make(map[string]bool)
	for _, name := range slices.Concat(f.names("propertyOrdering"), declared) {
		if len(p.of[name]) > 0 && !listed[name] {
			p.names, listed[name] = append(p.names, name), true
		}
	}
	return p
}

// number returns a member that is a number, or a text, as this wire writes 64-bit integers.
func (f facets) number(name string) (float64, bool) {
	value := strings.Trim(string(f.first(name)), `"`)
	number, err := strconv.ParseFloat(value, 64)
	return number, err == nil
}

// count returns a number of elements or characters, or 0. It is limited, because real schemas do
// not ask for more.
func (f facets) count(name string) int {
	number, _ := f.number(name)
	return int(min(max(number, 0), 10_000))
}
