package jsonx_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

func TestReferencesAreFoundAtAnyDepth(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		`{"$ref":"a"}`: {"a"},
		`{"b":[{"c":{"$ref":"#/d"}},{"$ref":"e","f":1}]}`: {"#/d", "e"},
		`[{"\u0024ref":"a"}]`:                             {"a"},
		`{"a":"$ref","b":["$ref","c"],"$refs":"d"}`:       nil,
		`{"$ref":{"type":"string"},"a":{"$ref":null}}`:    nil,
		`{"$ref":"a","b":`:                                {"a"},
		`{"$ref":`:                                        nil,
		`"$ref"`:                                          nil,
		``:                                                nil,
	} {
		if got := jsonx.References(jsontext.Value(value)); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}
