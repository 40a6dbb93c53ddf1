package wiretype_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
)

// FuzzStringOr checks that StringOr accepts every value that the plain Go type accepts, and writes
// the same JSON.
func FuzzStringOr(f *testing.F) {
	for _, seed := range []string{`"text"`, `["a","b"]`, `null`, `[]`, `""`, `[null]`, `{"a":1}`,
		`[1]`, `"\ud83d\ude00"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var text *string
		var list []string
		asText := json.Unmarshal(data, &text) == nil
		asList := json.Unmarshal(data, &list) == nil

		var u wiretype.StringOr[[]string]
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
