package wiretype_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
)

func TestNullableReadsAndWritesEveryForm(t *testing.T) {
	t.Parallel()
	type holder struct {
		Stop wiretype.Nullable[string] `json:"stop,omitzero"`
		Part wiretype.Nullable[part]   `json:"part,omitzero"`
	}
	for _, in := range []string{`{}`, `{"stop":null}`, `{"stop":""}`,
		`{"stop":"a","part":{"text":"b"}}`, `{"part":null}`} {
		var h holder
		if err := json.Unmarshal([]byte(in), &h); err != nil {
			t.Fatal(err)
		}
		if out := encode(t, h); out != in {
			t.Errorf("%s is written as %s", in, out)
		}
	}
	if _, ok := wiretype.Null[string]().Value(); ok || !wiretype.Null[string]().IsNull() ||
		wiretype.Present("").IsZero() {
		t.Error("null is a value, or a value is absent")
	}
	if wiretype.Null[string]().Equal(wiretype.Nullable[string]{}) ||
		!wiretype.Present("a").Equal(wiretype.Present("a")) {
		t.Error("Equal does not compare forms and values")
	}
}
