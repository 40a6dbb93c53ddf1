package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

func TestMergedObjectsHaveTheMembersOfBoth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ old, later, want string }{
		{``, `{"a":1}`, `{"a":1}`},
		{`{"a":1}`, ``, `{"a":1}`},
		{`{"a":1}`, `{"a":1}`, `{"a":1}`},
		{`{"a":1,"b":2}`, `{"c":3,"a":4}`, `{"a":4,"b":2,"c":3}`},
		{`{"\u0061":1}`, `{"a":2}`, `{"a":2}`},
	} {
		if got := jsonx.MergeObjects(jsontext.Value(tt.old),
			jsontext.Value(tt.later)); string(got) != tt.want {
			t.Errorf("%s and %s become %s, want %s", tt.old, tt.later, got, tt.want)
		}
	}
	if got := jsonx.Object("a\"b", jsontext.Value("1")); string(got) != `{"a\"b":1}` {
		t.Errorf("an object of one member is %s", got)
	}
}

func TestAMemberIsFoundByItsName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ object, want string }{
		{`{"b":1,"a":2}`, "2"}, {`{"a":1,"a":2}`, "1"}, {`{"a":null}`, "null"}, {`{"b":1}`, ""}, {`[1]`, ""}, {``, ""},
	} {
		if got := jsonx.Member(jsontext.Value(tt.object), "a"); string(got) != tt.want {
			t.Errorf("in %s it is %q, want %q", tt.object, got, tt.want)
		}
	}
}

func TestAValueIsFoundByItsPointer(t *testing.T) {
	t.Parallel()
	const document = `{"a": [1, {"b/c": "x"}], "d": null}`
	for pointer, want := range map[jsontext.Pointer]string{
		"": document, "/a/1/b~1c": `"x"`, "/a/0": "1", "/d": "null", "/a/2": "", "/e": "",
		"/d/e": "", "/a/x": "",
	} {
		if start, end := jsonx.Find([]byte(document), pointer); document[start:end] != want {
			t.Errorf("%s: got %q, want %q", pointer, document[start:end], want)
		}
	}
}
