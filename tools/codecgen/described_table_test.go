package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATableSaysWhatTheDescriptionDoes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, schema, want string }{
		{"a text", "properties: { a: { type: string } }", `{Name: "a", Value: payloadcheck.Value{Kinds: payloadcheck.KindString}},`},
		{"null", "properties: { a: { type: string, nullable: true } }", "payloadcheck.KindNull | payloadcheck.KindString"},
		{"null in answers", "x-answers-null: [a]\n      properties: { a: { type: string } }", "payloadcheck.KindNull | payloadcheck.KindString"},
		{"a bound", "properties: { a: { type: integer, minimum: 0 } }", "Range: &payloadcheck.Range{Least: new(0.0)}"},
		{"two bounds", "properties: { a: { type: number, minimum: -1, maximum: 0.5 } }", "Range: &payloadcheck.Range{Least: new(-1.0), Most: new(0.5)}"},
		{"a format", "properties: { a: { type: string, format: byte } }", `Format: "byte"`},
		{"an enum", `properties: { a: { $ref: "#/components/schemas/E" } }`, `Enum: []string{"ONE", "TWO"}`},
		{"an enum or any text", `properties: { a: { anyOf: [{ type: string }, { $ref: "#/components/schemas/E" }] } }`, "{Kinds: payloadcheck.KindString}"},
		{"an object", `properties: { a: { allOf: [{ $ref: "#/components/schemas/U" }] } }`, "Kinds: payloadcheck.KindObject, Object: 1"},
		{"a list", "properties: { a: { type: array, items: { type: integer, minimum: 0 } } }", "Items: &payloadcheck.Value{Kinds: payloadcheck.KindInteger, Range:"},
		{"a map", "properties: { a: { type: object, additionalProperties: { type: string } } }", "Kinds: payloadcheck.KindMap, Map: &payloadcheck.Value{Kinds: payloadcheck.KindString}"},
		{"a text or a list", "properties: { a: { oneOf: [{ type: string }, { type: array, items: { type: string } }] } }", "payloadcheck.KindList | payloadcheck.KindString"},
		{"any JSON", "properties: { a: { x-free-form: true } }", `{Name: "a", Value: payloadcheck.Value{}}`},
		{"any object", "properties: { a: { type: object, x-free-form: true } }", "payloadcheck.Value{Kinds: payloadcheck.KindMap}"},
		{"a member that must be there", "required: [a]\n      properties: { a: { type: string } }", `{Name: "a", Required: true,`},
		{"one that answers have", "x-answers-have: [a]\n      properties: { a: { type: string } }", `{Name: "a", Required: true,`},
		{"one that answers lack", "required: [a]\n      x-answers-have: []\n      properties: { a: { type: string } }", `{Name: "a", Value:`},
		{"an extension for no property", "x-answers-have: [b]\n      properties: { a: { type: string } }", "T: an extension names b, which is not a property"},
		{"a reference to nothing", `properties: { a: { $ref: "#/components/schemas/X" } }`, "T.a: X is not described"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "wire.yaml")
			writeFile(t, file,
				"components:\n  schemas:\n    T:\n      "+tt.schema+
					"\n    U:\n      properties: { b: { type: string } }\n    E: { type: string, enum: [ONE, TWO] }\n")
			writeFile(t, filepath.Join(dir, "check.go"), "package check\n")
			var stderr bytes.Buffer
			run([]string{"described", dir + ":T", file}, &stderr)
			out, _ := os.ReadFile(filepath.Join(dir, describedName))
			text := strings.ReplaceAll(string(out), "|", " | ")
			if !strings.Contains(strings.ReplaceAll(text, "  |  ", " | ")+stderr.String(),
				tt.want) {
				t.Errorf("got %s%s, want %s", out, stderr.String(), tt.want)
			}
		})
	}
}
