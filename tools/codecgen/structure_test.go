package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAStructuralCheckLooksAtTheDescription(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fields, properties, want string }{
		{"a message has rules", "", "", "v.checkT(at, m)"},
		{"unknown members", "", "", `v.unknown(at, "T", m.Unknown)`},
		{"a message", "A *U", "a: {}", `v.walkU(&in, m.A)`},
		{"a message that the package may skip", "A *U", "a: {}", "if v.skipsU() {\n\t\treturn"},
		{"a list of messages", "A []U", "a: { type: array }", `v.walkU(&in, &m.A[i])`},
		{"a map of messages", "A map[string]U", "a: { type: object }", `for in.Name, value = range m.A {`},
		{"a message in itself", "A *T", "a: {}", "if !v.enter(at) {\n\t\treturn\n\t}\n\tdefer v.leave()"},
		{"an enum", "A *E", "a: {}", `checkEnum(v, at, "a", m.A, valuesOfE)`},
		{"enums", "A []E", "a: { type: array }", `checkEnums(v, at, "a", m.A, valuesOfE)`},
		{"values of an enum", "A *E", "a: {}", `const valuesOfE = "ONE, TWO"`},
		{"a member of one backend", "A *string", "a: { type: string, x-only: VertexAI }", "if m.A != nil {\n\t\tv.only(at, \"a\", VertexAI)"},
		{"free-form JSON of one backend", "A jsontext.Value", "a: { x-free-form: true, x-only: VertexAI }", "if len(m.A) > 0 {"},
		{"a free-form object", "A jsontext.Value", "a: { type: object, x-free-form: true }", `v.object(at, "a", m.A)`},
		{"a range", "A *int", "a: { type: integer, minimum: -1, maximum: 0.5 }", `checkRange(v, at, "a", m.A, bounds{-1, 0.5})`},
		{"a range without its lower bound", "A *float64", "a: { minimum: 0, exclusiveMinimum: true, maximum: 2 }", `checkAbove(v, at, "a", m.A, bounds{0, 2})`},
		{"a length", "A []string", "a: { type: array, maxItems: 5 }", `v.length(at, "a", len(m.A), 0, 5)`},
		{"a length of messages", "A []U", "a: { type: array, minItems: 1, maxItems: 2 }", "if m.A != nil {\n\t\tv.length(at, \"a\", len(m.A), 1, 2)"},
		{"a longest text", "A *string", "a: { maxLength: 3 }", `v.maxLength(at, "a", m.A, 3)`},
		{"a text that must not be empty", "A string", "a: { minLength: 1 }", `v.require(at, "a", m.A != "")`},
		{"an enum that must be there", "A E", "a: {}", `checkEnum(v, at, "a", &m.A, valuesOfE)`},
		{"a text or a message", "A wiretype.StringOr[U]", "a: {}", "if other, ok := m.A.AsValue(); ok {"},
		{"what is taken as it is", "A *U", "a: { x-as-is: true }", "m.Unknown)\n}"},

		{"a duration", "A *string", "a: { format: google-duration }", `v.duration(at, "a", m.A)`},
		{"a moment", "A *string", "a: { format: google-datetime }", `v.timestamp(at, "a", m.A)`},

		{"a property without a field", "", "b: {}", "T: no field for b"},
		{"a bound alone", "A *int", "a: { minimum: 1 }", "T: a has only one of minimum and maximum"},
		{"a message that is not described", "A *X", "a: {}", "X is not described"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			field := tt.fields
			if field != "" {
				field += " `json:\"a,omitzero\"`"
			}
			const unknown = "\nUnknown jsontext.Value `json:\",embed\"`\n}\n"
			writeFile(t, filepath.Join(dir, "wire", "wire.gen.go"),
				"package wire\ntype T struct {\n"+field+unknown+"type U struct {"+unknown+
					"type X struct {"+unknown+
					"type E string\nconst (\nEOne E = \"ONE\"\nETwo E = \"TWO\"\nEThree E = \"THREE\"\nEUnspecified E = \"E_UNSPECIFIED\"\n)\n")
			writeFile(t, filepath.Join(dir, "wire.yaml"),
				"components:\n  schemas:\n    T:\n      properties:\n        "+tt.properties+
					"\n    U: {}\n    E: { x-enum-refused: [THREE] }\n")
			writeFile(t, filepath.Join(dir, "check", "check.go"),
				"package check\nfunc (v *checker) checkT(at *codec.Location, m *wire.T) {}\nfunc (v *checker) skipsU() bool { return false }\nfunc (v *checker) unknown() {}\n")
			var stderr bytes.Buffer
			run([]string{"structure", filepath.Join(dir, "check") + ":wire.T",
				filepath.Join(dir, "wire") + "=" + filepath.Join(dir, "wire.yaml")}, &stderr)
			out, _ := os.ReadFile(filepath.Join(dir, "check", structureName))
			if !strings.Contains(string(out)+stderr.String(), tt.want) {
				t.Errorf("got %s%s", out, stderr.String())
			}
		})
	}
}
