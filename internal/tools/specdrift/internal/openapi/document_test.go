package openapi_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

func TestBrokenDocumentsSayWhereAndWhy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file, text string
		line             int
		pointer          string
		err              error
	}{
		{"empty", "a.yaml", "", 0, "", openapi.ErrSyntax},
		{"only a comment", "a.yaml", "# nothing\n", 0, "", openapi.ErrSyntax},
		{"YAML syntax", "a.yaml", "openapi: 3.0.3\npaths:\n\t- a\n", 3, "", openapi.ErrSyntax},
		{"two YAML documents", "a.yaml", "openapi: 3.0.3\n---\nopenapi: 3.0.3\n", 0, "", openapi.ErrSyntax},
		{"a key twice", "a.yaml", "openapi: 3.0.3\npaths:\n  /a: {}\n  /a: {}\n", 4, "/paths", openapi.ErrSyntax},
		{"a key that is a list", "a.yaml", "openapi: 3.0.3\n[a]: 1\n", 2, "", openapi.ErrSyntax},
		{"a merge key", "a.yaml", "openapi: 3.0.3\na: &a {x: 1}\nb:\n  <<: *a\n", 4, "/b", openapi.ErrSyntax},
		{"an alias inside its anchor", "a.yaml", "openapi: 3.0.3\na: &a\n  b: *a\n", 3, "/a/b", openapi.ErrSyntax},
		{"JSON syntax", "a.json", "{\n\"openapi\": \"3.0.3\",\n\"paths\": }", 3, "", openapi.ErrSyntax},
		{"JSON cut off", "a.json", "{\n\"openapi\": [1,\n", 3, "", openapi.ErrSyntax},
		{"a JSON key twice", "a.json", "{\"openapi\": \"3.0.3\",\n\"openapi\": \"3.0.3\"}", 2, "", openapi.ErrSyntax},
		{"two JSON values", "a.json", "{}\n{}", 2, "", openapi.ErrSyntax},
		{"more after the JSON value", "a.json", "{}\n]", 2, "", openapi.ErrSyntax},
		{"a list", "a.yaml", "- a\n", 1, "", openapi.ErrNotOpenAPI},
		{"Swagger 2", "a.json", `{"swagger": "2.0"}`, 1, "", openapi.ErrNotOpenAPI},
		{"Google's discovery format", "a", `{"kind": "discovery#restDescription"}`, 1, "", openapi.ErrNotOpenAPI},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := openapi.Parse(tc.file, []byte(tc.text))
			expectError(t, err, tc.file, tc.line, tc.pointer, tc.err)
		})
	}
}

func TestAFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none.yaml")
	_, err := openapi.Read(file)
	expectError(t, err, file, 0, "", fs.ErrNotExist)
}

func TestBothSyntaxesReadAlike(t *testing.T) {
	t.Parallel()
	inJSON := `{"openapi":"3.0.3","a/b":{"~":[1.50,true,null,"😀 \ud83d\ude00"]},"n":"512","t":"2024-01-01"}`
	inYAML := `
openapi: "3.0.3"
a/b:
  "~": [1.50, true, ~, 😀 😀]
n: "512"
t: 2024-01-01
`
	fromJSON, err := openapi.Parse("a", []byte(inJSON))
	if err != nil {
		t.Fatal(err)
	}
	fromYAML, err := openapi.Parse("a", []byte(inYAML))
	if err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []string{"", "/openapi", "/a~1b", "/a~1b/~0", "/a~1b/~0/0", "/a~1b/~0/1", "/a~1b/~0/2", "/a~1b/~0/3", "/n", "/t"} {
		j, y := fromJSON.At(pointer), fromYAML.At(pointer)
		if j == nil || y == nil {
			t.Errorf("%s: JSON %v, YAML %v", pointer, j, y)
			continue
		}
		if j.Kind != y.Kind || j.Pointer != pointer || y.Pointer != pointer || j.Kind != openapi.Null && j.Text != y.Text {
			t.Errorf("%s: JSON %+v, YAML %+v", pointer, j, y)
		}
	}
	if got := fromYAML.At("/a~1b/~0").Line; got != 4 {
		t.Errorf("line %d, want 4", got)
	}
	for _, pointer := range []string{"/a~1b/~0/4", "/a~1b/~0/x", "/none", "/openapi/x"} {
		if v := fromYAML.At(pointer); v != nil {
			t.Errorf("%s holds %+v", pointer, v)
		}
	}
}

func TestAnAliasIsTheValueItself(t *testing.T) {
	t.Parallel()
	d, err := openapi.Parse("a.yaml", []byte("openapi: 3.0.3\na: &a { x: 1 }\nb: *a\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d.At("/a") != d.At("/b") {
		t.Error("the alias is another value")
	}
}

func TestReferencesAreFollowedInsideTheDocumentOnly(t *testing.T) {
	t.Parallel()
	d, err := openapi.Parse("a.yaml", []byte(`openapi: 3.0.3
target: { type: string }
near: { $ref: '#/target' }
far: { $ref: '#/near' }
remote: { $ref: 'other.yaml#/a' }
anchor: { $ref: '#target' }
nowhere: { $ref: '#/targets' }
odd: { $ref: [a] }
circle: { $ref: '#/circular' }
circular: { $ref: '#/circle' }
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"target", "near", "far"} {
		v, err := d.Resolve(d.Root.Get(name))
		if err != nil || v != d.Root.Get("target") {
			t.Errorf("%s resolves to %+v, %v", name, v, err)
		}
	}
	for name, at := range map[string]string{
		"remote": "/remote/$ref", "anchor": "/anchor/$ref", "nowhere": "/nowhere/$ref", "odd": "/odd", "circle": "/circle",
	} {
		_, err := d.Resolve(d.Root.Get(name))
		expectError(t, err, "a.yaml", d.Root.Get(name).Line, at, openapi.ErrReference)
	}
}

func TestOperationsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, pointer string
		err                 error
	}{
		{"no paths", "openapi: 3.0.3\n", "", openapi.ErrNotOpenAPI},
		{"a path that is a list", "openapi: 3.0.3\npaths: { /a: [] }\n", "/paths/~1a", openapi.ErrStructure},
		{"a path that refers to nothing", "openapi: 3.0.3\npaths: { /a: { $ref: '#/b' } }\n", "/paths/~1a/$ref", openapi.ErrReference},
		{"an operation that is null", "openapi: 3.0.3\npaths: { /a: { get: } }\n", "/paths/~1a/get", openapi.ErrStructure},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := openapi.Parse("a.yaml", []byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Operations()
			expectError(t, err, "a.yaml", -1, tc.pointer, tc.err)
		})
	}
}

func TestNormalPathForgetsVersionsAndNames(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/v1beta/models/{model}:generateContent": "/models/{}:generateContent",
		"/models/{modelsId}:generateContent":     "/models/{}:generateContent",
		"/v1/models":                             "/models",
		"/v1p1beta1/models/":                     "/models",
		"/openai/v1/chat/completions":            "/chat/completions",
		"/chat/completions":                      "/chat/completions",
		"/{model}:generateContent":               "/{}:generateContent",
		"/values/{v}":                            "/values/{}",
		"/v1x/models":                            "/v1x/models",
		"/v1":                                    "/",
		"/":                                      "/",
	} {
		if got := openapi.NormalPath(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestParametersOfThePathItemAreOverridden(t *testing.T) {
	t.Parallel()
	d, err := openapi.Parse("a.yaml", []byte(`openapi: 3.0.3
paths:
  /{a}/{b}:
    parameters:
      - { name: q, in: query, schema: { type: string } }
      - { name: b, in: path }
    get:
      parameters:
        - { name: q, in: query, schema: { type: integer } }
        - { name: q, in: header }
        - { name: a, in: path }
    post: { parameters: [{ name: q }] }
    put: { parameters: {} }
`))
	if err != nil {
		t.Fatal(err)
	}
	operations, err := d.Operations()
	if err != nil {
		t.Fatal(err)
	}
	parameters, err := operations[0].Parameters()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range parameters {
		got = append(got, p.In+" "+p.Name+" "+p.Schema.Get("type").String())
	}
	want := []string{"path a ", "path b ", "query q integer", "header q "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err = operations[1].Parameters()
	expectError(t, err, "a.yaml", 12, "/paths/~1{a}~1{b}/post/parameters/0", openapi.ErrStructure)
	_, err = operations[2].Parameters()
	expectError(t, err, "a.yaml", 13, "/paths/~1{a}~1{b}/put/parameters", openapi.ErrStructure)
}

// expectError checks a typed error; a negative line is not checked.
func expectError(t *testing.T, err error, file string, line int, pointer string, want error) {
	t.Helper()
	e, ok := errors.AsType[*openapi.Error](err)
	if !ok {
		t.Fatalf("got %v, want an *openapi.Error", err)
	}
	if e.File != file || e.Pointer != pointer || line >= 0 && e.Line != line {
		t.Errorf("file %q, line %d, pointer %q; want %q, %d, %q (%v)", e.File, e.Line, e.Pointer, file, line, pointer, err)
	}
	if !errors.Is(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}
