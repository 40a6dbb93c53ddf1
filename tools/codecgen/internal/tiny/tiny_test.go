package tiny_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/gemwire/gemwire/tools/codecgen/internal/tiny"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func decode(data []byte) (*tiny.Wheel, error) {
	v := &tiny.Wheel{}
	return v, json.Unmarshal(data, v, jsonx.ReadByMember)
}

func encode(v *tiny.Wheel) ([]byte, error) {
	return json.Marshal(v, jsonx.Canonical)
}

func TestEveryKindOfFieldIsReadAndWritten(t *testing.T) {
	t.Parallel()
	enums := plainjsontest.Enums(t, "tiny.gen.go")
	codec := plainjsontest.NewCodec(decode, encode)
	codec.CheckMembers(t, enums)
	codec.CheckUnkind(t, enums)
	codec.CheckRandom(t, rand.New(rand.NewPCG(1, 2)), enums)
}

func TestZeroIsLeftOutAsTheLibraryDoes(t *testing.T) {
	t.Parallel()
	for _, v := range []tiny.Wheel{
		{},
		{Radius: math.Copysign(0, -1)},
		{Holes: []int{}, Extra: jsontext.Value(`null`)},
		{Hub: tiny.Patch{Round: new(false)}},
		{Hub: tiny.Patch{Unknown: jsontext.Value(`{}`)}},
		{Hub: tiny.Patch{Unknown: jsontext.Value{}}},
	} {
		if !plainjsontest.CheckEncoded(t, &v, encode) {
			t.Errorf("%+v is not written", v)
		}
	}
}

func TestAnObjectWithoutMembers(t *testing.T) {
	t.Parallel()
	var v tiny.Nothing
	if !v.ReadPlainJSON([]byte(`{"a":1}`)) || string(v.Unknown) != `{"a":1}` {
		t.Errorf("read as %s", v.Unknown)
	}
	v.Unknown = nil
	if out, ok := v.AppendPlainJSON(nil); string(out) != "{}" || !ok {
		t.Errorf("written as %s, %v", out, ok)
	}
}
