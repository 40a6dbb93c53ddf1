package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

func TestAValueIsSetAtItsPointer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text, pointer, value, want string
	}{
		{"a member is replaced", `{"a":1,"b":2}`, "/a", `[3]`, `{"a":[3],"b":2}`},
		{"a member is added", `{"a":1}`, "/b", `2`, `{"a":1,"b":2}`},
		{"a member is added to an empty object", `{}`, "/b", `2`, `{"b":2}`},
		{"objects on the way are added", `{"a":{"x":1}}`, "/a/b/c", `2`, `{"a":{"x":1,"b":{"c":2}}}`},
		{"an element is replaced", `{"a":[1,{"b":2}]}`, "/a/1/b", `3`, `{"a":[1,{"b":3}]}`},
		{"names may hold slashes", `{}`, "/a~1b", `1`, `{"a/b":1}`},
		{"the whole", `{"a":1}`, "", `{}`, `{}`},
		{"no element", `{"a":[1]}`, "/a/1", `3`, ``},
		{"through a number", `{"a":1}`, "/a/b", `3`, ``},
	} {
		got, err := jsonx.Set([]byte(tt.text), jsontext.Pointer(tt.pointer),
			jsontext.Value(tt.value))
		if string(got) != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %s, %v", tt.name, got, err)
		}
	}
}
