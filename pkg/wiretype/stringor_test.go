package wiretype_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// part is a stand-in for a generated type: an object in a list.
type part struct {
	Text    string         `json:"text"`
	Unknown jsontext.Value `json:",embed"`
}

// message is a stand-in for a generated type that contains a union.
type message struct {
	Content wiretype.StringOr[[]part]   `json:"content,omitzero"`
	Bytes   wiretype.NullableList[int]  `json:"bytes"`
	Logs    wiretype.NullableList[part] `json:"logs,omitzero"`
}

func TestStringOrReadsAndWritesEveryForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in   string
		wantString bool
		wantValue  bool
		wantZero   bool
	}{
		{name: "a string", in: `"hello \"you\""`, wantString: true},
		{name: "an empty string is a string", in: `""`, wantString: true},
		{name: "a list", in: `[{"text":"a"},{"text":"b","more":1e400}]`, wantValue: true},
		{name: "an empty list is a list", in: `[]`, wantValue: true},
		{name: "null is neither", in: `null`, wantZero: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var u wiretype.StringOr[[]part]
			if err := json.Unmarshal([]byte(tt.in), &u); err != nil {
				t.Fatal(err)
			}
			_, isString := u.AsString()
			_, isValue := u.AsValue()
			if isString != tt.wantString || isValue != tt.wantValue || u.IsZero() != tt.wantZero {
				t.Errorf("string %v, value %v, zero %v; want %v, %v, %v",
					isString, isValue, u.IsZero(), tt.wantString, tt.wantValue, tt.wantZero)
			}
			if out := encode(t, u); out != tt.in {
				t.Errorf("encodes as %s, want %s", out, tt.in)
			}
		})
	}
}

func TestStringOrHoldsWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	text := wiretype.StringOf[[]part]("hi")
	if s, ok := text.AsString(); !ok || s != "hi" {
		t.Errorf("AsString of StringOf: %q, %v", s, ok)
	}
	if v, ok := text.AsValue(); ok || v != nil {
		t.Errorf("AsValue of StringOf: %v, %v", v, ok)
	}
	parts := wiretype.ValueOf([]part{{Text: "hi"}})
	if v, ok := parts.AsValue(); !ok || len(v) != 1 || v[0].Text != "hi" {
		t.Errorf("AsValue of ValueOf: %v, %v", v, ok)
	}
	if s, ok := parts.AsString(); ok || s != "" {
		t.Errorf("AsString of ValueOf: %q, %v", s, ok)
	}
}

func TestZeroUnionIsNullAndOmittedByOmitzero(t *testing.T) {
	t.Parallel()
	if out := encode(t, wiretype.StringOr[[]part]{}); out != `null` {
		t.Errorf("zero union encodes as %s", out)
	}
	if out := encode(t, message{}); out != `{"bytes":null}` {
		t.Errorf("zero members encode as %s", out)
	}
}

func TestStringOrForgetsWhatItHeldBefore(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`"new"`, `[{"text":"new"}]`, `null`} {
		u := wiretype.ValueOf([]part{{Text: "old", Unknown: jsontext.Value(`{"more":1}`)}})
		if err := json.Unmarshal([]byte(in), &u); err != nil {
			t.Fatal(err)
		}
		if out := encode(t, u); out != in {
			t.Errorf("%s read over an older value encodes as %s", in, out)
		}
	}
}

func TestStringOrRefusesOtherKinds(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`7`, `true`, `{"text":"a"}`, `["a"]`} {
		var u wiretype.StringOr[[]part]
		err := json.Unmarshal([]byte(in), &u)
		var semantic *json.SemanticError
		if !errors.As(err, &semantic) {
			t.Errorf("%s: error %v, want a *json.SemanticError", in, err)
		}
		if !u.IsZero() {
			t.Errorf("%s: the union holds something after an error", in)
		}
	}
}

func TestStringOrFollowsTheOptionsOfTheDecoder(t *testing.T) {
	t.Parallel()
	const in = `{"content":[{"TEXT":"a"}]}`
	var m message
	if err := json.Unmarshal([]byte(in), &m, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	if parts, _ := m.Content.AsValue(); len(parts) != 1 || parts[0].Text != "a" {
		t.Errorf("names in another letter case are not matched inside the union: %v", parts)
	}

	const duplicate = `{"content":[{"text":"a","text":"b"}]}`
	if err := json.Unmarshal([]byte(duplicate), &m); err == nil {
		t.Error("a duplicate name is accepted without the option")
	}
	if err := json.Unmarshal([]byte(duplicate), &m,
		jsontext.AllowDuplicateNames(true)); err != nil {
		t.Errorf("a duplicate name is refused with the option: %v", err)
	}

	html := wiretype.StringOf[[]part]("<b>")
	out, err := json.Marshal(html, jsontext.EscapeForHTML(true))
	if err != nil || string(out) != `"\u003cb\u003e"` {
		t.Errorf("EscapeForHTML is not followed: %s, %v", out, err)
	}
}

func TestStringOrErrorsHaveTheirLocation(t *testing.T) {
	t.Parallel()
	var m message
	err := json.Unmarshal([]byte(`{"content":[{"text":"a"},{"text":7}]}`), &m)
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) || semantic.JSONPointer != "/content/1/text" {
		t.Errorf("error %v, want one at /content/1/text", err)
	}
}

func TestEqualComparesJSON(t *testing.T) {
	t.Parallel()
	text, parts := wiretype.StringOf[[]part], wiretype.ValueOf[[]part]
	tests := []struct {
		name string
		a, b wiretype.StringOr[[]part]
		want bool
	}{
		{"the same string", text("a"), text("a"), true},
		{"different strings", text("a"), text("b"), false},
		{"the same list", parts([]part{{Text: "a"}}), parts([]part{{Text: "a"}}), true},
		{"different lists", parts([]part{{Text: "a"}}), parts([]part{{Text: "b"}}), false},
		{"nothing and an empty string", wiretype.StringOr[[]part]{}, text(""), false},
		{"nothing and an empty list", wiretype.StringOr[[]part]{}, parts(nil), false},
		{"nothing and nothing", wiretype.StringOr[[]part]{}, wiretype.StringOr[[]part]{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := tt.a.Equal(tt.b); got != tt.want {
				t.Errorf("Equal is %v", got)
			}
			if got := cmp.Equal(tt.a, tt.b); got != tt.want {
				t.Errorf("cmp.Equal is %v", got)
			}
		})
	}
}

func TestNullableListDistinguishesNullFromEmpty(t *testing.T) {
	t.Parallel()
	for _, in := range []string{`{"bytes":null}`, `{"bytes":[]}`, `{"bytes":[104,105]}`,
		`{"bytes":null,"logs":[{"text":"a"}]}`} {
		m := message{Bytes: []int{1, 2, 3}}
		if err := json.Unmarshal([]byte(in), &m); err != nil {
			t.Fatal(err)
		}
		if out := encode(t, m); out != in {
			t.Errorf("%s encodes as %s", in, out)
		}
	}
}

// encode returns v's JSON.
func encode(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
