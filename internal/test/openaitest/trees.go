package openaitest

import (
	"bytes"
	stdjson "encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// Subset fails the test unless got contains everything in want. An object of got may have more
// members. A list must have the same number of elements.
func Subset(t testing.TB, got, want string) {
	t.Helper()
	g, w := Tree(t, []byte(got)), Tree(t, []byte(want))
	if diff := cmp.Diff(w, project(g, w)); diff != "" {
		t.Errorf("%s\nin %s", diff, got)
	}
}

// project removes the members of objects in got that want does not have.
func project(got, want any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return got
		}
		out := map[string]any{}
		for name := range w {
			if value, ok := g[name]; ok {
				out[name] = project(value, w[name])
			}
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return got
		}
		out := make([]any, len(g))
		for i := range g {
			out[i] = project(g[i], w[i])
		}
		return out
	default:
		return got
	}
}

// Tree decodes JSON into maps, slices and exact numbers.
func Tree(t testing.TB, data []byte) any {
	t.Helper()
	dec := stdjson.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}

// Exists reports whether a JSON pointer leads to a value of the document.
func Exists(document any, pointer string) bool {
	at := document
	for token := range jsontext.Pointer(pointer).Tokens() {
		switch value := at.(type) {
		case map[string]any:
			next, ok := value[token]
			if !ok {
				return false
			}
			at = next
		case []any:
			i, err := stdjson.Number(token).Int64()
			if err != nil || i < 0 || i >= int64(len(value)) || strings.HasPrefix(token, "+") {
				return false
			}
			at = value[i]
		default:
			return false
		}
	}
	return true
}
