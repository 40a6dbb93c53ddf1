package jsonx_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

func TestHalvesOfSurrogatePairsAreReplaced(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"a"`:                       `"a"`,
		`"\ud83d\ude00"`:            `"\ud83d\ude00"`,
		`"\ud83d"`:                  `"\ufffd"`,
		`"\uDE00"`:                  `"\ufffd"`,
		`"\ude00\ud83d"`:            `"\ufffd\ufffd"`,
		`"\ud83d\ud83d\ude00"`:      `"\ufffd\ud83d\ude00"`,
		`"\ud83dx\ude00"`:           `"\ufffdx\ufffd"`,
		`"\\ud83d"`:                 `"\\ud83d"`,
		`"\\\ud83d"`:                `"\\\ufffd"`,
		`"\ud83d\n"`:                `"\ufffd\n"`,
		`"\u00e9\"\ud83d"`:          `"\u00e9\"\ufffd"`,
		`{"\udc00":["\ud800",1]}`:   `{"\ufffd":["\ufffd",1]}`,
		`"\ud83`:                    `"\ud83`,
		`"\`:                        `"\`,
		`"\ud83d\u`:                 `"\ufffd\u`,
		`"\uzzzz"`:                  `"\uzzzz"`,
		`"😀 \ud83d\uDE00 \ud83d 😀"`: `"😀 \ud83d\uDE00 \ufffd 😀"`,
	} {
		before := in
		got := string(jsonx.ReplaceHalfPairs([]byte(in)))
		if got != want || jsonx.HasHalfPair([]byte(in)) != (want != in) || in != before {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func FuzzReplaceHalfPairs(f *testing.F) {
	f.Add([]byte(`{"a":"\ud83d\ude00\ud83d","b":"\\\\\udc00"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := string(data)
		got := jsonx.ReplaceHalfPairs(data)
		if string(data) != before || len(got) != len(data) || jsonx.HasHalfPair(got) {
			t.Fatalf("%q becomes %q", before, got)
		}
		// The library refuses this input without replacement characters, and accepts the result.
		if jsontext.Value(before).IsValid(jsontext.AllowInvalidUTF8(true),
			jsontext.AllowDuplicateNames(true)) &&
			!jsontext.Value(got).IsValid(jsontext.AllowDuplicateNames(true)) &&
			jsontext.Value(before).IsValid() {
			t.Fatalf("%q is no JSON, of %q", got, before)
		}
	})
}
