package gemini_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/internal/test/plainjsontest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// The generated codecs must behave exactly like the JSON library with this package's leniency,
// except for their speed.
var (
	responseCodec = newCodec[geminiapi.GenerateContentResponse]("response")
	requestCodec  = newCodec[geminiapi.GenerateContentRequest]("request")
	codecs        = []plainjsontest.Codec{
		responseCodec,
		requestCodec,
		newCodec[geminiapi.CountTokensRequest]("countTokens request"),
		newCodec[geminiapi.CountTokensResponse]("countTokens response"),
		newCodec[geminiapi.ListModelsResponse]("model list"),
		newCodec[geminiapi.Model]("model"),
	}
)

func newCodec[T any, P plainjsontest.WireType[T]](payload string) plainjsontest.Codec {
	return plainjsontest.NewCodec[T, P](
		func(data []byte) (*T, error) { return gemini.DecodeAnyForm[T, P](payload, data) },
		func(v *T) ([]byte, error) { return gemini.EncodeAnything(v) })
}

func enums(t testing.TB) map[string][]string {
	return plainjsontest.Enums(t, "../../gen/geminiapi/gemini.gen.go")
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

func TestValuesThatAreNotPlainAreReadByTheLibrary(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 250) + strings.Repeat("]", 250)
	tests := []struct{ name, in string }{
		{"nothing", ``},
		{"white space", " \n"},
		{"null", `null`},
		{"a list", `[]`},
		{"a byte order mark", "\ufeff{}"},
		{"data after the end", `{} {}`},
		{"a name in snake_case", `{"response_id":"a"}`},
		{"a name in another letter case", `{"ResponseID":"a"}`},
		{"a name with an escape", `{"response\u0049d":"a"}`},
		{"a name that is not ASCII", `{"réponse":"a"}`},
		{"a known member twice", `{"responseId":"a","responseId":"a"}`},
		{"an unknown member twice", `{"a":1,"b":2,"a":1}`},
		{"a long unknown name", `{"` + strings.Repeat("a", 200) + `":1}`},
		{"free-form null", `{"candidates":[{"content":{"parts":[{"functionCall":{"args":null}}]}}]}`},
		{"an enum in another letter case", `{"candidates":[{"finishReason":"stop"}]}`},
		{"an enum as a number", `{"candidates":[{"finishReason":1}]}`},
		{"an enum value that is new", `{"candidates":[{"finishReason":"NEW"}]}`},
		{"a null element", `{"candidates":[null]}`},
		{"an element without its list", `{"candidates":{}}`},
		{"a whole number with a fraction", `{"usageMetadata":{"totalTokenCount":40.0}}`},
		{"a whole number in quotes", `{"usageMetadata":{"totalTokenCount":"40"}}`},
		{"a whole number of 19 digits", `{"usageMetadata":{"totalTokenCount":1234567890123456789}}`},
		{"a number in quotes", `{"candidates":[{"avgLogprobs":"0.5"}]}`},
		{"a number out of range", `{"candidates":[{"avgLogprobs":1e400}]}`},
		{"many levels", `{"x":` + deep + `}`},
		{"invalid UTF-8", "{\"responseId\":\"\xff\"}"},
		{"half a surrogate pair", `{"responseId":"\ud83d"}`},
		{"a name twice in free-form JSON", `{"candidates":[{"content":{"parts":[{"functionCall":{"args":{"a":1,"a":2}}}]}}]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if decoded, _ := responseCodec.Check(t, []byte(tt.in)); decoded {
				t.Errorf("%s is read as plain", tt.in)
			}
		})
	}
}

func TestValuesThatAreNotPlainAreWrittenByTheLibrary(t *testing.T) {
	t.Parallel()
	type response = geminiapi.GenerateContentResponse
	loop := &geminiapi.Schema{}
	loop.AnyOf = []geminiapi.Schema{{Items: loop}, {Items: loop}}
	tests := []struct {
		name string
		in   interface {
			AppendPlainJSON([]byte) ([]byte, bool)
		}
	}{
		{"not a number", &response{Candidates: []geminiapi.Candidate{{AvgLogprobs: new(math.NaN())}}}},
		{"infinity", &response{Candidates: []geminiapi.Candidate{{AvgLogprobs: new(math.Inf(-1))}}}},
		{"invalid UTF-8", &response{ResponseID: new("a\xff")}},
		{"invalid UTF-8 in an enum", &response{Candidates: []geminiapi.Candidate{{FinishReason: new(geminiapi.FinishReason("\xff"))}}}},
		{"invalid UTF-8 in the name of a map", &geminiapi.GenerateContentRequest{Labels: map[string]string{"\xff": ""}}},
		{"arguments that are not JSON", callWithArgs(`{`)},
		{"empty arguments", callWithArgs(``)},
		{"arguments with a name twice", callWithArgs(`{"a":1,"a":2}`)},
		{"an unknown member by a known name", &response{Unknown: jsontext.Value(`{"responseId":"a"}`)}},
		{"unknown members that are not an object", &response{Unknown: jsontext.Value(`1`)}},
		{"an unknown member with an escape in its name", &response{Unknown: jsontext.Value(`{"\u0061":1}`)}},
		{"a schema that holds itself", &geminiapi.GenerateContentRequest{GenerationConfig: &geminiapi.GenerationConfig{ResponseSchema: loop}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if out, ok := tt.in.AppendPlainJSON(nil); ok {
				t.Errorf("it is written as %s", out)
			}
		})
	}
}

// The minimums are slightly below the measurements when the codecs were made.
func TestNearlyAllRecordedPayloadsArePlain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind           corpustest.Kind
		codec          plainjsontest.Codec
		split          func([]byte) [][]byte
		decode, encode float64
	}{
		{corpustest.Response, responseCodec, whole, 0.97, 0.99},
		{corpustest.Stream, responseCodec, chunks, 0.98, 0.99},
		{corpustest.Request, requestCodec, whole, 0.85, 0.98},
	}
	for _, tt := range tests {
		t.Run(string(tt.kind), func(t *testing.T) {
			t.Parallel()
			var all, decoded, encoded int
			for _, payload := range corpustest.Payloads(t, tt.kind) {
				for _, data := range tt.split(payload.Read(t)) {
					if !json.Valid(data) {
						continue
					}
					d, e := tt.codec.Check(t, data)
					all++
					decoded += count(d)
					encoded += count(e)
				}
			}
			t.Logf("%d payloads: %d decoded, %d encoded", all, decoded, encoded)
			if share := float64(decoded) / float64(all); share < tt.decode {
				t.Errorf("only %.3f are decoded", share)
			}
			if share := float64(encoded) / float64(all); share < tt.encode {
				t.Errorf("only %.3f are encoded", share)
			}
		})
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func whole(data []byte) [][]byte { return [][]byte{data} }

// chunks returns the data of the events of a stream.
func chunks(data []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(data) {
		if body, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			out = append(out, bytes.TrimSpace(body))
		}
	}
	return out
}

func TestMutatedPayloadsAreTheSameBothWays(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range payloadtest.All()[:4] {
		if decoded, encoded := responseCodec.Check(t, p.Body); !decoded || !encoded {
			t.Errorf("%s: decoded %v, encoded %v", p.Name, decoded, encoded)
		}
		for range 500 {
			data := plainjsontest.Mutate(r, p.Body)
			for r.IntN(3) == 0 {
				data = plainjsontest.Mutate(r, append(data, ' '))
			}
			responseCodec.Check(t, data)
		}
	}
}

// The size of an answer is computed first, so that large media is copied once.
func TestEncodingTakesOneAllocationOfTheRightSize(t *testing.T) {
	for _, p := range payloadtest.All() {
		response, err := gemini.DecodeResponse(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		parts := &response.Candidates[0].Content.Parts
		// also with several images
		*parts = append(*parts, (*parts)[0], (*parts)[len(*parts)-1])
		var out []byte
		if n := testing.AllocsPerRun(5,
			func() { out, err = gemini.EncodeResponse(response) }); err != nil || n != 1 {
			t.Errorf("%s: %v allocations, error %v", p.Name, n, err)
		}
		if most := len(out)*102/100 + 2048; cap(out) > most {
			t.Errorf("%s: %d bytes in a slice of %d, want at most %d", p.Name, len(out), cap(out),
				most)
		}
		if n := testing.AllocsPerRun(5,
			func() { _, err = gemini.AppendResponse(out[:0], response) }); err != nil || n != 0 {
			t.Errorf("%s: %v allocations where there is room, error %v", p.Name, n, err)
		}
	}
}

func FuzzFastDecodeAgreesWithSlow(f *testing.F) {
	seeds(f)
	for _, p := range payloadtest.All()[:4] {
		f.Add(p.Body)
	}
	for _, c := range codecs[:2] {
		for i, m := range plainjsontest.Members(c.Root) {
			if i%7 == 0 {
				f.Add(m.Document(`[{"a":1.5e3,"b":"\u00e9\n"},null,-0]`))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, c := range codecs {
			c.Check(t, data)
		}
	})
}

func FuzzFastEncodeAgreesWithSlow(f *testing.F) {
	for _, p := range payloadtest.All()[:4] {
		f.Add(p.Body, uint64(1))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		f.Add(plainjsontest.Random(r, requestCodec.Root, enums(f)), r.Uint64())
	}
	f.Fuzz(func(t *testing.T, data []byte, spoiling uint64) {
		for _, c := range codecs[:2] {
			for i := range 4 {
				c.CheckSpoilt(t, rand.New(rand.NewPCG(spoiling, uint64(i))), data)
			}
		}
	})
}

// Unknown members are kept, and do not make decoding slow.
func ExampleDecodeResponse_unknownMember() {
	response, err := gemini.DecodeResponse(
		[]byte(`{"modelVersion":"m","heardOf":{"next":["year"]}}`))
	fmt.Println(*response.ModelVersion, response.Unknown, err)
	// Output: m {"heardOf":{"next":["year"]}} <nil>
}
