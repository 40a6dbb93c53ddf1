package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMembersAreVisitedWhereTheyAreThere(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, field, want string }{
		{"a pointer", "A *int", "if v.A != nil {\n\t\tvisit(\"a\")\n\t}"},
		{"a text", "A string", `if v.A != "" {`},
		{"a list", "A []string", "if len(v.A) > 0 {"},
		{"a map", "A map[string]string", "if len(v.A) > 0 {"},
		{"free-form JSON", "A jsontext.Value", "if len(v.A) > 0 && v.A.Kind() != jsontext.KindNull {"},
		{"a text or a message", "A wiretype.StringOr[U]", "if !v.A.IsZero() {"},
		{"a message, which is always there", "A U", "T.A: no test for its zero value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			const unknown = "\nUnknown jsontext.Value `json:\",embed\"`\n}\n"
			writeFile(t, filepath.Join(dir, "wire", "wire.gen.go"),
				"package wire\ntype T struct {\n"+tt.field+" `json:\"a,omitzero\"`"+unknown+
					"type U struct {"+unknown)
			writeFile(t, filepath.Join(dir, "report", "report.go"), "package report\n")
			var stderr bytes.Buffer
			run([]string{"members", filepath.Join(dir, "report") + ":wire.T",
				filepath.Join(dir, "wire")}, &stderr)
			out, _ := os.ReadFile(filepath.Join(dir, "report", membersName))
			if !strings.Contains(string(out)+stderr.String(), tt.want) {
				t.Errorf("got %s%s", out, stderr.String())
			}
		})
	}
}
