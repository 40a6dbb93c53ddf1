package plainjsontest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The codecs of package openaiapi agree with the JSON library as it is. The codecs of package
// geminiapi are tested where leniency is added to them, in package gemini.
var codecs = []plainjsontest.Codec{
	plainjsontest.NewCodec(decode[openaiapi.CreateChatCompletionRequest], encode),
	plainjsontest.NewCodec(decode[openaiapi.CreateChatCompletionResponse], encode),
	plainjsontest.NewCodec(decode[openaiapi.CreateChatCompletionStreamResponse], encode),
}

func decode[T any](data []byte) (*T, error) {
	if jsontext.Value(data).Kind() == 'n' {
		return nil, &json.SemanticError{} // null is a zero value to the library
	}
	out := new(T)
	return out, json.Unmarshal(data, out, jsonx.ReadByMember)
}

func encode[T any](v *T) ([]byte, error) {
	return json.Marshal(v, jsonx.Canonical)
}

func enums(t *testing.T) map[string][]string {
	return plainjsontest.Enums(t, "../../../gen/openaiapi/openai.gen.go",
		"../../../gen/geminiapi/gemini.gen.go")
}

func TestEveryMemberHasACodec(t *testing.T) {
	t.Parallel()
	for _, c := range codecs {
		c.CheckMembers(t, enums(t))
	}
}

func TestUnkindValuesOfEveryMember(t *testing.T) {
	t.Parallel()
	for _, c := range codecs {
		c.CheckUnkind(t, enums(t))
	}
}

func TestRandomPayloadsAreTheSameBothWays(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range codecs {
		c.CheckRandom(t, r, enums(t))
	}
}

func TestNearlyAllConvertedPayloadsArePlain(t *testing.T) {
	t.Parallel()
	var all, encoded, decoded int
	for _, payload := range corpustest.Payloads(t, corpustest.Response) {
		in, err := gemini.DecodeResponse(payload.Read(t))
		if err != nil {
			continue
		}
		out, _, err := chat.FromGemini(in)
		if err != nil {
			continue // an error in the place of an answer
		}
		all++
		if plainjsontest.CheckEncoded(t, out, encode) {
			encoded++
		}
		data, err := openai.EncodeResponse(out)
		if err != nil {
			t.Fatal(err)
		}
		if d, _ := codecs[1].Check(t, data); d {
			decoded++
		}
	}
	t.Logf("%d payloads: %d encoded, %d decoded", all, encoded, decoded)
	if all < corpustest.AtLeast(500) || encoded < all*99/100 || decoded < all*95/100 {
		t.Errorf("of %d payloads only %d are encoded and %d decoded", all, encoded, decoded)
	}
}

func FuzzOpenAIPayloadsAreTheSameBothWays(f *testing.F) {
	for _, c := range codecs {
		for i, m := range plainjsontest.Members(c.Root) {
			if i%9 == 0 {
				f.Add(m.Document(`[{"a":1.5e3,"b":"\u00e9\n"},null,-0]`), uint64(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, spoiling uint64) {
		for _, c := range codecs {
			c.Check(t, data)
			c.CheckSpoilt(t, rand.New(rand.NewPCG(spoiling, 1)), data)
		}
	})
}
