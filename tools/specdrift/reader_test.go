package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A shape is written here as its types, each with its listed values and, behind +, whether others
// are admitted; then its properties, and ? for null.
func TestShapesFoldWhatASchemaSays(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ schema, want string }{
		{"{}", "any"},
		{"true", "any"},
		{"false", ""},
		{"{ type: string }", "string"},
		{"{ type: string, nullable: true }", "string ?"},
		{"{ type: [string, 'null', integer] }", "integer string ?"},
		{"{ type: 'null' }", " ?"},
		{"{ properties: { b: {}, a: {} } }", "object {a b}"},
		{"{ items: {} }", "array"},
		{"{ additionalProperties: true }", "object"},
		{"{ type: string, enum: [a, b] }", "string(a,b)"},
		{"{ enum: [a, 1, true, null] }", "boolean(true) number(1) string(a)"},
		{"{ const: a }", "string(a)"},
		{"{ type: integer, enum: [1] }", "integer(1)"},
		{"{ type: string, enum: [512] }", "string(512)"},
		{"{ anyOf: [{ type: string }, { enum: [a] }] }", "string(a)+"},
		{"{ oneOf: [{ enum: [a] }, { enum: [b, a] }, { type: object }] }", "object string(a,b)"},
		{"{ oneOf: [{ enum: [a] }, {}] }", "any string(a)+"},
		{"{ description: Words., allOf: [{ $ref: '#/components/schemas/E' }] }", "string(x)"},
		{"{ allOf: [{ type: string }, { enum: [a] }] }", "string(a)"},
		{"{ allOf: [{ type: number }, { type: integer }] }", "integer"},
		{"{ allOf: [{ type: string }, { type: object }] }", "object string"},
		{"{ type: object, properties: { a: {} }, oneOf: [{ required: [a] }, { properties: { b: {} } }] }", "object {a b}"},
		{"{ allOf: [{ $ref: '#/components/schemas/O' }, { properties: { q: {} } }] }", "object {p q}"},
		{"{ $ref: '#/components/schemas/O', description: Words. }", "object {p}"},
		{"{ anyOf: [{ type: string }, { $ref: '#/components/schemas/S' }] }", "string"},
	} {
		d := load(t, tc.schema)
		s := newReader(d).shapeOf(d.at("/components/schemas/S"))
		if d.err != nil {
			t.Errorf("%s: %v", tc.schema, d.err)
			continue
		}
		if got := write(s); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.schema, got, tc.want)
		}
	}
}

func TestCanonicalSchemas(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ schema, want string }{
		{"{ type: string }", "S"},
		{"{}", "S"},
		{"{ $ref: '#/components/schemas/O' }", "O"},
		{"{ $ref: '#/components/schemas/O', description: Words. }", "O"},
		{"{ description: Words., nullable: true, allOf: [{ $ref: '#/components/schemas/O' }] }", "O"},
		{"{ anyOf: [{ allOf: [{ $ref: '#/components/schemas/O' }] }, { type: 'null' }] }", "O"},
		{"{ oneOf: [{ type: ['null'] }, { type: string }] }", "S/oneOf/1"},
		{"{ anyOf: [{ $ref: '#/components/schemas/O' }, { $ref: '#/components/schemas/E' }] }", "S"},
		{"{ allOf: [{ $ref: '#/components/schemas/O' }], properties: { q: {} } }", "S"},
	} {
		d := load(t, tc.schema)
		v := newReader(d).canonical(d.at("/components/schemas/S"))
		if d.err != nil {
			t.Errorf("%s: %v", tc.schema, d.err)
			continue
		}
		if got := strings.TrimPrefix(v.pointer, "/components/schemas/"); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.schema, got, tc.want)
		}
	}
}

func TestARecursiveReferenceIsTheMarkedSchemaAroundIt(t *testing.T) {
	t.Parallel()
	d := load(t, "{ $recursiveAnchor: true, properties: { p: { items: { oneOf: [{ $recursiveRef: '#' }] } } } }")
	around := d.at("/components/schemas/S")
	within := newReader(d).canonical(around.get("properties").get("p").get("items"))
	if d.err != nil || within != around {
		t.Errorf("got %s, %v, want the schema itself", within.pointer, d.err)
	}
}

func TestSchemasThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema string
		at     string
		err    error
	}{
		{"[]", "", errStructure},
		{"{ type: 1 }", "/type", errStructure},
		{"{ type: text }", "/type", errStructure},
		{"{ properties: [] }", "/properties", errStructure},
		{"{ enum: a }", "/enum", errStructure},
		{"{ allOf: {} }", "/allOf", errStructure},
		{"{ oneOf: {} }", "/oneOf", errStructure},
		{"{ oneOf: [a] }", "/oneOf/0", errStructure},
		{"{ prefixItems: {} }", "", errKeyword},
		{"{ patternProperties: { '^x': { type: string } } }", "", errKeyword},
		{"{ $dynamicRef: '#a' }", "", errKeyword},
		{"{ $recursiveRef: '#' }", "", errKeyword},
		{"{ $ref: '#/nowhere' }", "/$ref", errReference},
		{"{ $ref: '#/components/schemas/S' }", "", errReference},
		{"{ allOf: [{ $ref: '#/components/schemas/S' }] }", "", errReference},
	} {
		d := load(t, tc.schema)
		r := newReader(d)
		r.shapeOf(r.canonical(d.at("/components/schemas/S")))
		if !errors.Is(d.err, tc.err) ||
			!strings.HasPrefix(d.err.Error(), "a.yaml:4: /components/schemas/S"+tc.at+": ") {
			t.Errorf("%s: got %v, want %v at %q", tc.schema, d.err, tc.err, tc.at)
		}
	}
}

func load(t *testing.T, schema string) *document {
	t.Helper()
	d, err := parseDocument("a.yaml", fmt.Appendf(nil, `openapi: 3.1.0
components:
  schemas:
    S: %s
    O: { type: object, properties: { p: { type: string } } }
    E: { type: string, enum: [x] }
`, schema))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func write(s *shape) string {
	var words []string
	if s.any {
		words = append(words, "any")
	}
	for _, t := range s.types {
		word := string(t)
		if values := s.values(t); len(values) > 0 {
			var texts []string
			for _, v := range values {
				texts = append(texts, v.text)
			}
			word += "(" + strings.Join(texts, ",") + ")"
			if s.isOpen(t) {
				word += "+"
			}
		}
		words = append(words, word)
	}
	names := slices.Sorted(maps.Keys(s.properties))
	if len(names) > 0 {
		words = append(words, "{"+strings.Join(names, " ")+"}")
	}
	out := strings.Join(words, " ")
	if s.nullable {
		out += " ?"
	}
	return out
}
