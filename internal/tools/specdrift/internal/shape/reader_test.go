package shape_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// A shape is written here as its types, each with its listed values and, behind +, whether others are
// admitted; then its properties, and ? for null.
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
		{"{ patternProperties: { '^x': { type: string } } }", "object"},
		{"{ type: string, enum: [a, b] }", "string(a,b)"},
		{"{ enum: [a, 1, true, null] }", "boolean(true) number(1) string(a)"},
		{"{ const: a }", "string(a)"},
		{"{ type: integer, enum: [1] }", "integer(1)"},
		{"{ type: string, enum: [512] }", "string(512)"},
		{"{ type: string, x-open-enum: true, x-known-values: [a] }", "string(a)+"},
		{"{ type: string, x-known-values: [a] }", "string"},
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
		s, err := shape.NewReader(d).Of(d.At("/components/schemas/S"))
		if err != nil {
			t.Errorf("%s: %v", tc.schema, err)
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
		v, err := shape.NewReader(d).Canonical(d.At("/components/schemas/S"))
		if err != nil {
			t.Errorf("%s: %v", tc.schema, err)
			continue
		}
		if got := strings.TrimPrefix(v.Pointer, "/components/schemas/"); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.schema, got, tc.want)
		}
	}
}

func TestSchemasThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		schema string
		at     string
		err    error
	}{
		{"[]", "", openapi.ErrStructure},
		{"{ type: 1 }", "/type", openapi.ErrStructure},
		{"{ type: text }", "/type", openapi.ErrStructure},
		{"{ properties: [] }", "/properties", openapi.ErrStructure},
		{"{ enum: a }", "/enum", openapi.ErrStructure},
		{"{ x-open-enum: true, x-known-values: a }", "/x-known-values", openapi.ErrStructure},
		{"{ allOf: {} }", "/allOf", openapi.ErrStructure},
		{"{ oneOf: {} }", "/oneOf", openapi.ErrStructure},
		{"{ oneOf: [a] }", "/oneOf/0", openapi.ErrStructure},
		{"{ prefixItems: {} }", "/prefixItems", openapi.ErrStructure},
		{"{ $dynamicRef: '#a' }", "", openapi.ErrReference},
		{"{ $ref: '#/nowhere' }", "/$ref", openapi.ErrReference},
		{"{ $ref: '#/components/schemas/S' }", "", openapi.ErrReference},
		{"{ allOf: [{ $ref: '#/components/schemas/S' }] }", "", openapi.ErrReference},
	} {
		d := load(t, tc.schema)
		r := shape.NewReader(d)
		canonical, err := r.Canonical(d.At("/components/schemas/S"))
		if err == nil {
			_, err = r.Of(canonical)
		}
		e, ok := errors.AsType[*openapi.Error](err)
		switch {
		case !ok || !errors.Is(err, tc.err):
			t.Errorf("%s: got %v, want %v", tc.schema, err, tc.err)
		case e.Pointer != "/components/schemas/S"+tc.at:
			t.Errorf("%s: error at %s, want %s", tc.schema, e.Pointer, tc.at)
		}
	}
}

func load(t *testing.T, schema string) *openapi.Document {
	t.Helper()
	d, err := openapi.Parse("a.yaml", fmt.Appendf(nil, `openapi: 3.1.0
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

func write(s *shape.Shape) string {
	var words []string
	if s.Any {
		words = append(words, "any")
	}
	for _, t := range s.Types {
		word := string(t)
		if values := s.Values(t); len(values) > 0 {
			var texts []string
			for _, v := range values {
				texts = append(texts, v.Text)
			}
			word += "(" + strings.Join(texts, ",") + ")"
			if s.IsOpen(t) {
				word += "+"
			}
		}
		words = append(words, word)
	}
	var names []string
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	if len(names) > 0 {
		words = append(words, "{"+strings.Join(names, " ")+"}")
	}
	out := strings.Join(words, " ")
	if s.Nullable {
		out += " ?"
	}
	return out
}
