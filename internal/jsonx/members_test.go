package jsonx_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

func TestMembersComeInTheirOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want []string
	}{
		{` {"b" : 1, "a":{"c":[2]},"":null} `, []string{"b 1", `a {"c":[2]}`, " null"}},
		{`{"a":1,"a":2}`, []string{"a 1", "a 2"}},
		{`{"\u0061":"\u0062"}`, []string{`a "\u0062"`}},
		{"{\"a\":\"\xff\"}", []string{"a \"\xff\""}},
		{`{}`, nil},
		{`[1]`, nil},
		{`null`, nil},
		{``, nil},
		{`{"a":1,"b":`, []string{"a 1"}},
		{`{"a":1,2}`, []string{"a 1"}},
	}
	for _, tt := range tests {
		var got []string
		for name, value := range jsonx.Members(jsontext.Value(tt.in)) {
			got = append(got, name+" "+string(value))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
	for range jsonx.Members(jsontext.Value(`{"a":1,"b":2}`)) {
		break
	}
}
