package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// sources are the packages that the tests are about; they are compiled, and tested themselves.
const sources = "internal"

// copySources returns a folder that holds the sources without what was generated from them.
func copySources(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"place/place.gen.go", "tiny/tiny.gen.go", "shape/shape.gen.go",
		"shape/shape.yaml"} {
		source, err := os.ReadFile(filepath.Join(sources, name))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, name), string(source))
	}
	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTheGeneratedCodecsAreUpToDate shows what is generated; -update writes it again.
func TestTheGeneratedCodecsAreUpToDate(t *testing.T) {
	t.Parallel()
	dir := copySources(t)
	args := []string{filepath.Join(dir, "place"),
		filepath.Join(dir, "tiny") + ":Wheel,Nothing:protojson",
		filepath.Join(dir, "shape") + "=" + filepath.Join(dir, "shape/shape.yaml") + ":Shape"}
	for range 2 { // the second time, the generated files exist, and must not be read
		var stderr bytes.Buffer
		if code := run(args, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		for _, name := range []string{"place/codec.gen.go", "tiny/codec.gen.go",
			"shape/codec.gen.go"} {
			compareGolden(t, filepath.Join(dir, name), filepath.Join(sources, name))
		}
	}
}

func compareGolden(t *testing.T, path, golden string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		writeFile(t, golden, string(got))
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestUnsupportedInputIsNamed(t *testing.T) {
	t.Parallel()
	const unknown = "\nUnknown jsontext.Value `json:\",embed\"`"
	tests := []struct{ name, fields, want string }{
		{"a type without a codec", "A chan int `json:\"a\"`" + unknown, "T.A: the type has no codec"},
		{"a type of an unknown package", "A time.Time `json:\"a\"`" + unknown, "T.A: the type time.Time has no codec"},
		{"a type of no package", "A uint `json:\"a\"`" + unknown, "T.A: the type uint has no codec"},
		{"an array", "A [2]int `json:\"a\"`" + unknown, "T.A: the type has no codec"},
		{"a map by number", "A map[int]int `json:\"a\"`" + unknown, "T.A: the type has no codec"},
		{"a list of pointers", "A []*int `json:\"a\"`" + unknown, "T.A: a list or map of pointers"},
		{"a pointer to a list", "A *[]int `json:\"a\"`" + unknown, "T.A: a pointer to a type that can be absent without it"},
		{"no tag", "A int" + unknown, "T.A: the field must have one name and a json tag"},
		{"two names", "A, B int `json:\"a\"`" + unknown, "T.: the field must have one name and a json tag"},
		{"an embedded struct", "T2" + unknown, "T.: the field must have one name and a json tag"},
		{"another option", "A int `json:\"a,string\"`" + unknown, `T.A: unknown json option "string"`},
		{"omitempty", "A int `json:\"a,omitempty\"`" + unknown, `T.A: unknown json option "omitempty"`},
		{"a name that needs escapes", "A int `json:\"é\"`" + unknown, `T.A: the name "é"`},
		{"an unknown form", "A int `json:\"a\" forms:\"b\"`" + unknown, `T.A: no such form for this type: "b"`},
		{"an object for what is not a text", "A int `json:\"a\" forms:\"object\"`" + unknown, `T.A: no such form for this type: "object"`},
		{"a zero value that cannot be tested", "A wiretype.Int64 `json:\"a,omitzero\"`" + unknown, "T.A: no test for its zero value"},
		{"no place for unknown members", "A int `json:\"a\"`", "T has no field Unknown"},
		{"another field by that name", "Unknown int `json:\"unknown\"`", "T.Unknown is not embedded"},
		{"more fields than bits", strings.Repeat("A int `json:\"a\"`\n", 65) + unknown, "T has more fields than a word has bits"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "t.gen.go"),
				"package t\ntype T struct {\n"+tt.fields+"\n}\ntype T2 struct{}\n")
			var stderr bytes.Buffer
			code := run([]string{dir + ":T"}, &stderr)
			if code != 1 || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit code %d, %s", code, stderr.String())
			}
			if _, err := os.Stat(filepath.Join(dir, codecName)); err == nil {
				t.Error("something was written")
			}
		})
	}
}

func TestMissingFactsOfADescriptionAreNamed(t *testing.T) {
	t.Parallel()
	const fields = "A int `json:\"a\"`"
	object := func(properties string) string {
		return "components: { schemas: { T: { additionalProperties: false, properties: {" +
			properties + "} } } }"
	}
	tests := []struct{ name, fields, description, want string }{
		{"no YAML", fields, "{", "yaml:"},
		{"a property without a field", fields, object("b: { type: string }"), "T.b: no field"},
		{"a property that is none", fields, object("a: []"), "T: a: yaml:"},
		{"a field without a codec", "A chan int `json:\"a\"`", object("a: { type: string }"), "T.a: the type has no codec"},
		{"an open object without a field for the rest", fields, "components: { schemas: { T: { properties: { a: {} } } } }", "T has no field Unknown"},
		{"a variant without a codec", fields, "components: { schemas: { T: { discriminator: { propertyName: b, mapping: { x: V } } }, V: { properties: { a: {} } } } }", "T: V.a: no field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "t.gen.go"),
				"package t\ntype T struct {\n"+tt.fields+"\n}\n")
			file := filepath.Join(dir, "t.yaml")
			writeFile(t, file, tt.description)
			var stderr bytes.Buffer
			code := run([]string{dir + "=" + file + ":T"}, &stderr)
			if code != 1 || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit code %d, %s", code, stderr.String())
			}
		})
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	broken := t.TempDir()
	writeFile(t, filepath.Join(broken, "t.gen.go"), "package")
	tests := []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no argument", nil, 2, "usage:"},
		{"no such forms", []string{"internal/tiny:Wheel:xml"}, 1, `unknown forms "xml"`},
		{"no such description", []string{"internal/tiny=nowhere.yaml:Wheel"}, 1, "nowhere.yaml"},
		{"no such root", []string{"internal/tiny:Nobody"}, 1, "no struct Nobody"},
		{"no generated files", []string{empty + ":T"}, 1, "no files *.gen.go"},
		{"no Go", []string{broken + ":T"}, 1, "expected"},
		{"a package that is not listed before", []string{"internal/tiny:Wheel"}, 1, "the type place.Place has no codec"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			if code := run(tt.args, &stderr); code != tt.code ||
				!strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit code %d, %s", code, stderr.String())
			}
		})
	}
}
