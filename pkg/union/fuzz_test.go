package union_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/pkg/union"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzStringOr proves that a value of any form is accepted when its plain Go type accepts it, and
// then comes out as the same JSON.
func FuzzStringOr(f *testing.F) {
	for _, seed := range []string{`"text"`, `["a","b"]`, `null`, `[]`, `""`, `[null]`, `{"a":1}`, `[1]`, `"\ud83d\ude00"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var text *string
		var list []string
		asText := json.Unmarshal(data, &text) == nil
		asList := json.Unmarshal(data, &list) == nil

		var u union.StringOr[[]string]
		err := json.Unmarshal(data, &u)
		if (err == nil) != (asText || asList) {
			t.Fatalf("%q: error %v, but a string: %v, a list: %v", data, err, asText, asList)
		}
		if err != nil {
			return
		}
		var want []byte
		switch {
		case asText && asList: // null
			want = []byte(`null`)
		case asText:
			want, err = json.Marshal(text)
		default:
			want, err = json.Marshal(list)
		}
		if err != nil {
			t.Fatal(err)
		}
		if out := encode(t, u); !bytes.Equal([]byte(out), want) {
			t.Fatalf("%q is written as %s, want %s", data, out, want)
		}
	})
}

// FuzzEnumName proves that EnumName never invents a name: what it returns for a string equals the
// string but for letter case, and a listed name is returned as it is listed.
func FuzzEnumName(f *testing.F) {
	for _, seed := range []string{`"STOP"`, `"stop"`, `3`, `null`, `{}`, `"ſtop"`, `"\u212a"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		value := jsontext.Value(data).Clone()
		if !value.IsValid() || value.Compact() != nil {
			t.Skip("no JSON text")
		}
		got, err := union.EnumName(value, "STOP", "MAX_TOKENS")
		switch value.Kind() {
		case jsontext.KindString:
			text, _ := jsontext.AppendUnquote(nil, value)
			known := got == "STOP" || got == "MAX_TOKENS"
			if err != nil || (!known && got != string(text)) || (known && !bytes.EqualFold([]byte(got), text)) {
				t.Fatalf("%s is %q, %v", value, got, err)
			}
		case jsontext.KindNumber:
			if err != nil || got != string(value) {
				t.Fatalf("%s is %q, %v", value, got, err)
			}
		case jsontext.KindNull:
			if err != nil || got != "" {
				t.Fatalf("null is %q, %v", got, err)
			}
		default:
			if err == nil {
				t.Fatalf("%s is %q, want an error", value, got)
			}
		}
	})
}
