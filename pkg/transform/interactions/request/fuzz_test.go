package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// Any request becomes a valid one for Gemini, or there is an error. Converting it twice gives the
// same result, and the request stays unchanged.
func FuzzToGemini(f *testing.F) {
	for _, document := range fixtures(f) {
		f.Add(document, true)
		f.Add(document, false)
	}
	f.Add([]byte(inputOf(asked, thought, called, returned, said, next)), false)
	f.Fuzz(func(t *testing.T, document []byte, isVertexAI bool) {
		in, err := interactions.DecodeRequest(document)
		if err != nil {
			return
		}
		before, err := in.MarshalJSON()
		if err != nil {
			return // half of a surrogate pair, which no encoder takes
		}
		opts := []request.Option{request.WithHistory(nil), request.WithStore()}
		backend := gemini.ForGeminiAPI()
		if isVertexAI {
			opts, backend = append(opts, request.ForVertexAI()), gemini.ForVertexAI()
		}
		out, _, err := request.ToGemini(in, opts...)
		if err != nil {
			return
		}
		if err := gemini.ValidateRequest(out, gemini.ForModel(*in.Model), backend); err != nil {
			t.Fatalf("not valid: %v", err)
		}
		once, err := gemini.EncodeRequest(out)
		if err != nil {
			return
		}
		again, _, err := request.ToGemini(in, opts...)
		if err != nil {
			t.Fatalf("the second time: %v", err)
		}
		if twice, err := gemini.EncodeRequest(again); err != nil || string(twice) != string(once) {
			t.Fatalf("%v: got %s, want %s", err, twice, once)
		}
		if after, err := in.MarshalJSON(); err != nil || string(after) != string(before) {
			t.Fatalf("%v: the request was changed: %s, was %s", err, after, before)
		}
	})
}
