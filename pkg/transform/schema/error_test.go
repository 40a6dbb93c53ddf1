package schema_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// refused are documents that cannot be converted.
var refused = []struct {
	name, document  string
	want            error
	pointer, target string
	text            string
}{
	{"a schema that is itself", `{"$ref":"#"}`, schema.ErrCycle, "/$ref", "",
		`schema: /$ref: a cycle of references: it is a part of its target "#"`},
	{"a tree", `{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#"}}}}`,
		schema.ErrCycle,
		"/properties/children/items/$ref", "",
		`schema: /properties/children/items/$ref: a cycle of references: it is a part of its target "#"`},
	{"a list of nodes", `{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}}}}}`,
		schema.ErrCycle,
		"/$defs/node/properties/next/$ref", "/$defs/node", ""},
	{"two definitions that need each other",
		`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"},{"type":"null"}]},"b":{"items":{"$ref":"#/$defs/a"}}}}`,
		schema.ErrCycle,
		"/$defs/b/items/$ref", "/$defs/a", ""},
	{"a cycle through allOf",
		`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}}`,
		schema.ErrCycle,
		"/$defs/a/allOf/0/$ref", "/$defs/a", ""},
	{"a dynamic tree", `{"$dynamicAnchor":"n","type":"object","properties":{"left":{"$dynamicRef":"#n"}}}`,
		schema.ErrCycle,
		"/properties/left/$dynamicRef", "", ""},
	{"a recursive tree", `{"$recursiveAnchor":true,"properties":{"left":{"$recursiveRef":"#"}}}`,
		schema.ErrCycle,
		"/properties/left/$recursiveRef", "", ""},

	{"a missing definition", `{"properties":{"a":{"$ref":"#/$defs/nope"}}}`, schema.ErrUnresolved,
		"/properties/a/$ref", "#/$defs/nope",
		`schema: /properties/a/$ref: an unresolved reference: "#/$defs/nope"`},
	{"another document", `{"$ref":"https://example.com/other.json"}`, schema.ErrUnresolved, "/$ref", "https://example.com/other.json", ""},
	{"a file", `{"$ref":"other.json#/a"}`, schema.ErrUnresolved, "/$ref", "other.json#/a", ""},
	{"a missing anchor", `{"$ref":"#nope"}`, schema.ErrUnresolved, "/$ref", "#nope", ""},
	{"an index with a zero in front", `{"$ref":"#/allOf/01","allOf":[{},{}]}`, schema.ErrUnresolved, "/$ref", "#/allOf/01", ""},
	{"an index beyond", `{"$ref":"#/allOf/2","allOf":[{},{}]}`, schema.ErrUnresolved, "/$ref", "#/allOf/2", ""},
	{"a broken escape", `{"$ref":"#/a%zz"}`, schema.ErrUnresolved, "/$ref", "#/a%zz", ""},
	{"no schema", `{"$ref":"#/title","title":"t"}`, schema.ErrUnresolved, "/$ref", "#/title", ""},
	{"no text", `{"$ref":5}`, schema.ErrUnresolved, "/$ref", "", `schema: /$ref: an unresolved reference: ""`},

	{"a list", `[{"type":"string"}]`, schema.ErrNotSchema, "", "", "schema: a schema must be an object or a boolean"},
	{"a string", `"string"`, schema.ErrNotSchema, "", "", ""},
	{"null", `null`, schema.ErrNotSchema, "", "", ""},
	{"a long reference", `{"$ref":"` + strings.Repeat("x", 500) + `"}`, schema.ErrUnresolved,
		"/$ref", strings.Repeat("x", 500),
		`schema: /$ref: an unresolved reference: "` + strings.Repeat("x", 100) + "..." +
			strings.Repeat("x", 100) + `"`},
}

func TestSchemasWithoutAResultAreRefusedWithTheirLocation(t *testing.T) {
	t.Parallel()
	for _, test := range refused {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := schema.FromJSON(jsontext.Value(test.document))
			var refusal *schema.Error
			if !errors.As(err, &refusal) || !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			if diff := cmp.Diff([]string{test.pointer, test.target},
				[]string{refusal.Pointer, refusal.Target}); diff != "" {
				t.Error(diff)
			}
			if test.text != "" && err.Error() != test.text {
				t.Errorf("it says %q, want %q", err, test.text)
			}
			if pointer, offset := refusal.Location(); pointer != test.pointer || offset != -1 {
				t.Errorf("it is at %q, %d", pointer, offset)
			}
		})
	}
}

func TestInvalidJSONIsRefusedWithItsLocation(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		``:                                    "schema: not JSON at offset 0",
		`{"type":`:                            "schema: /type: not JSON at offset 8",
		`{"a":{"b":tru}}`:                     "schema: /a/b: not JSON at offset 13",
		`{"a":1,"a":2}`:                       "schema: /a: not JSON at offset 7",
		`{} {}`:                               "schema: not JSON at offset 3",
		"{\"a\":\"\xff\"}":                    "schema: /a: not JSON at offset 6",
		strings.Repeat(`[`, 20_000):           "",
		strings.Repeat(`{"not":`, 1000) + `}`: "",
	} {
		_, _, err := schema.FromJSON(jsontext.Value(document))
		if err == nil || want != "" && err.Error() != want {
			t.Errorf("%.40s: %v, want %s", document, err, want)
			continue
		}
		checkError(t, err)
		if len(err.Error()) > 300 {
			t.Errorf("%.40s: an error of %d bytes", document, len(err.Error()))
		}
	}
	if _, _, err := schema.FromJSON(nil); !errors.Is(err, io.EOF) &&
		!errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("no document: %v", err)
	}
}

func TestParametersHaveToDescribeAnObject(t *testing.T) {
	t.Parallel()
	for _, document := range []string{
		`{"type":"string"}`, `{"type":["string","null"]}`, `false`,
		`{"anyOf":[{"type":"string"},{"type":"array"}]}`,
		`{"anyOf":[{"type":"null"}]}`,
		`{"allOf":[{"$ref":"#/$defs/s"}],"$defs":{"s":{"type":"integer"}}}`,
	} {
		_, _, err := schema.FromJSON(jsontext.Value(document), schema.ForParameters())
		if !errors.Is(err, schema.ErrNotObject) {
			t.Errorf("%s: %v", document, err)
		}
	}
}

func TestAnInputThatBecomesTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"each definition has the next twice": doubling(40,
			`"d%d":{"type":"object","properties":{"l":{"$ref":"#/$defs/d%d"},"r":{"$ref":"#/$defs/d%[2]d"}}}`),
		"each choice has the next twice": doubling(40,
			`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"maxLength":1,"$ref":"#/$defs/d%[2]d"}]}`),
		"many choices that all hold": `{"allOf":[` +
			strings.Repeat(`{"anyOf":[{"minLength":1},{"maxLength":2}]},`, 30) + `{}]}`,
		"properties with a long text": `{"$defs":{"t":{"type":"string","description":"` +
			strings.Repeat("x", 1<<20) + `"}},"properties":{` +
			members(1000, `"p%d":{"$ref":"#/$defs/t"}`) + `}}`,
		"many alternatives of a large schema": `{"type":"object","properties":{` +
			members(2000, `"p%d":{"type":"string"}`) + `},"anyOf":[` +
			strings.Repeat(`{"minProperties":1},`, 2000) + `{}]}`,
		"many alternatives that contradict a large schema": `{"type":"object","properties":{` +
			members(2000, `"p%d":{"type":"string"}`) + `},"anyOf":[` +
			strings.Repeat(`{"type":"string"},`, 20_000) + `{}]}`,
		"a deep schema": strings.Repeat(`{"items":`, 200) + `{}` + strings.Repeat(`}`, 200),
		"a deep allOf":  strings.Repeat(`{"allOf":[`, 200) + `{}` + strings.Repeat(`]}`, 200),
		"a deep anyOf":  strings.Repeat(`{"anyOf":[true,`, 200) + `{}` + strings.Repeat(`]}`, 200),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, _, err := schema.FromJSON(jsontext.Value(document)); !errors.Is(err,
				schema.ErrTooLarge) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// doubling returns a document with n definitions. The format says how each refers to the next one.
func doubling(n int, format string) string {
	var defs strings.Builder
	for i := range n {
		fmt.Fprintf(&defs, format+",", i, i+1)
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":{"type":"string"}}}`, defs.String(),
		n)
}

// members returns n members of an object.
func members(n int, format string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(out, ",")
}
