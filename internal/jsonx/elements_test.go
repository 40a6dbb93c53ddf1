package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestElementsComeInTheirOrder(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		`[1, {"a":[2]} ,"x",null]`: {`1`, `{"a":[2]}`, `"x"`, `null`},
		`[]`:                       nil,
		`{"a":1}`:                  nil,
		``:                         nil,
		`[1,2`:                     {`1`, `2`},
	} {
		var got []string
		for _, element := range jsonx.Elements(jsontext.Value(list)) {
			got = append(got, string(element))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", list, diff)
		}
	}
}
