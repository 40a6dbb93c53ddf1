package wiretype_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestOneOrListReadsAndWritesEveryForm(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		all       []part
		one, list bool
	}{
		`{"text":"a"}`:                {all: []part{{Text: "a"}}, one: true},
		`[{"text":"a"}]`:              {all: []part{{Text: "a"}}, list: true},
		`[{"text":"a"},{"text":"b"}]`: {all: []part{{Text: "a"}, {Text: "b"}}, list: true},
		`[]`:                          {all: []part{}, list: true},
		`null`:                        {},
	} {
		u := wiretype.OneOf(part{Text: "old"})
		if err := json.Unmarshal([]byte(in), &u); err != nil {
			t.Fatal(err)
		}
		_, isList := u.AsList()
		if isOne := u.AsOne() != nil; isOne != want.one || isList != want.list ||
			u.IsZero() != (in == "null") {
			t.Errorf("%s: one %v, list %v, zero %v", in, isOne, isList, u.IsZero())
		}
		if diff := cmp.Diff(want.all, u.All()); diff != "" {
			t.Errorf("%s: %s", in, diff)
		}
		if out := encode(t, u); out != in {
			t.Errorf("%s is written as %s", in, out)
		}
	}
	var u wiretype.OneOrList[part]
	if err := json.Unmarshal([]byte(`"text"`), &u); err == nil {
		t.Error("a text is read")
	}
}

func TestOneOrListHoldsWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	if u := wiretype.ListOf[part](nil); u.IsZero() || encode(t, u) != "[]" {
		t.Errorf("no list is written as %s", encode(t, u))
	}
	one, list := wiretype.OneOf(part{Text: "a"}), wiretype.ListOf([]part{{Text: "a"}})
	if one.Equal(list) || !one.Equal(wiretype.OneOf(part{Text: "a"})) ||
		one.Equal(wiretype.OneOf(part{Text: "b"})) {
		t.Error("Equal does not compare forms and values")
	}
}
