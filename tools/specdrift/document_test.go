package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBrokenDocumentsSayWhereAndWhy(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file, text string
		at               string
		err              error
	}{
		{"empty", "a.yaml", "", "a.yaml", errSyntax},
		{"only a comment", "a.yaml", "# nothing\n", "a.yaml", errSyntax},
		{"YAML syntax", "a.yaml", "openapi: 3.0.3\npaths:\n\t- a\n", "a.yaml", errSyntax},
		{"two YAML documents", "a.yaml", "openapi: 3.0.3\n---\nopenapi: 3.0.3\n", "a.yaml", errSyntax},
		{"a key twice", "a.yaml", "openapi: 3.0.3\npaths:\n  /a: {}\n  /a: {}\n", "a.yaml:4: /paths", errSyntax},
		{"a key that is a list", "a.yaml", "openapi: 3.0.3\n[a]: 1\n", "a.yaml:2", errSyntax},
		{"a merge key", "a.yaml", "openapi: 3.0.3\na: &a {x: 1}\nb:\n  <<: *a\n", "a.yaml:4: /b", errSyntax},
		{"an alias", "a.yaml", "openapi: 3.0.3\na: &a\n  b: *a\n", "a.yaml:3: /a/b", errSyntax},
		{"JSON syntax", "a.json", "{\n\"openapi\": \"3.0.3\",\n\"paths\": }", "a.json", errSyntax},
		{"JSON cut off", "a.json", "{\n\"openapi\": [1,\n", "a.json", errSyntax},
		{"a JSON key twice", "a.json", "{\"openapi\": \"3.0.3\",\n\"openapi\": \"3.0.3\"}", "a.json", errSyntax},
		{"two JSON values", "a.json", "{}\n{}", "a.json", errSyntax},
		{"more after the JSON value", "a.json", "{}\n]", "a.json", errSyntax},
		{"a list", "a.yaml", "- a\n", "a.yaml:1", errNotOpenAPI},
		{"Swagger 2", "a.json", `{"swagger": "2.0"}`, "a.json:1", errNotOpenAPI},
		{"Google's discovery format", "a", `{"kind": "discovery#restDescription"}`, "a:1", errNotOpenAPI},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := parseDocument(tc.file, []byte(tc.text))
			expectError(t, err, tc.at, tc.err)
		})
	}
}

func TestAFileThatIsMissing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none.yaml")
	_, err := readDocument(file)
	expectError(t, err, "open "+file, fs.ErrNotExist)
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
	fromJSON, err := parseDocument("a", []byte(inJSON))
	if err != nil {
		t.Fatal(err)
	}
	fromYAML, err := parseDocument("a", []byte(inYAML))
	if err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []string{"", "/openapi", "/a~1b", "/a~1b/~0", "/a~1b/~0/0",
		"/a~1b/~0/1", "/a~1b/~0/2", "/a~1b/~0/3", "/n", "/t"} {
		j, y := fromJSON.at(pointer), fromYAML.at(pointer)
		if j == nil || y == nil {
			t.Errorf("%s: JSON %v, YAML %v", pointer, j, y)
			continue
		}
		if j.Kind != y.Kind || j.pointer != pointer || y.pointer != pointer ||
			j.tag() != "!!null" && j.Value != y.Value || j.isString() != y.isString() {
			t.Errorf("%s: JSON %+v, YAML %+v", pointer, j, y)
		}
	}
	if got := fromYAML.at("/a~1b/~0").Line; got != 4 {
		t.Errorf("line %d, want 4", got)
	}
	for _, pointer := range []string{"/a~1b/~0/4", "/a~1b/~0/x", "/none", "/openapi/x"} {
		if v := fromYAML.at(pointer); v != nil {
			t.Errorf("%s holds %+v", pointer, v)
		}
	}
}

func TestReferencesAreFollowedInsideTheDocumentOnly(t *testing.T) {
	t.Parallel()
	d, err := parseDocument("a.yaml", []byte(`openapi: 3.0.3
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
		if v := d.resolve(d.root.get(name)); v != d.root.get("target") || d.err != nil {
			t.Errorf("%s resolves to %+v, %v", name, v, d.err)
		}
	}
	for name, at := range map[string]string{
		"remote": "/remote/$ref", "anchor": "/anchor/$ref", "nowhere": "/nowhere/$ref",
		"odd": "/odd", "circle": "/circle",
	} {
		d.err = nil
		d.resolve(d.root.get(name))
		expectError(t, d.err, fmt.Sprintf("a.yaml:%d: %s", d.root.get(name).Line, at), errReference)
	}
}

func TestOperationsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, at string
		err            error
	}{
		{"no paths", "openapi: 3.0.3\n", "a.yaml:1", errNotOpenAPI},
		{"a path that is a list", "openapi: 3.0.3\npaths: { /a: [] }\n", "a.yaml:2: /paths/~1a", errStructure},
		{"a path that refers to nothing", "openapi: 3.0.3\npaths: { /a: { $ref: '#/b' } }\n", "a.yaml:2: /paths/~1a/$ref", errReference},
		{"an operation that is null", "openapi: 3.0.3\npaths: { /a: { get: } }\n", "a.yaml:2: /paths/~1a/get", errStructure},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := parseDocument("a.yaml", []byte(tc.text))
			if err != nil {
				t.Fatal(err)
			}
			d.operations()
			expectError(t, d.err, tc.at, tc.err)
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
		if got := normalPath(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestParametersOfThePathItemAreOverridden(t *testing.T) {
	t.Parallel()
	d, err := parseDocument("a.yaml", []byte(`openapi: 3.0.3
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
	operations := d.operations()
	var got []string
	for _, p := range operations[0].parameters() {
		got = append(got, p.in+" "+p.name+" "+p.schema.get("type").str())
	}
	want := []string{"path a ", "path b ", "query q integer", "header q "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	operations[1].parameters()
	expectError(t, d.err, "a.yaml:12: /paths/~1{a}~1{b}/post/parameters/0", errStructure)
	d.err = nil
	operations[2].parameters()
	expectError(t, d.err, "a.yaml:13: /paths/~1{a}~1{b}/put/parameters", errStructure)
}

// expectError checks where an error says that the document is broken, and what it says of it.
func expectError(t *testing.T, err error, at string, want error) {
	t.Helper()
	if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), at+": ") {
		t.Errorf("got %v, want %v at %s", err, want, at)
	}
}
