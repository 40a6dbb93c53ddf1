package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// Any request of the Messages API becomes a valid one for Gemini, or there is an error. Converting
// it twice gives the same result, and the request stays unchanged.
func FuzzToGemini(f *testing.F) {
	for _, document := range fixtures(f) {
		f.Add(document, true)
	}
	for _, r := range rows() {
		f.Add([]byte(r.request), false)
	}
	f.Fuzz(func(t *testing.T, document []byte, isVertexAI bool) {
		in, err := anthropic.DecodeRequest(document)
		if err != nil {
			return
		}
		before, err := in.MarshalJSON()
		if err != nil {
			return // half of a surrogate pair, which no encoder takes
		}
		var opts []request.Option
		backend := gemini.ForGeminiAPI()
		if isVertexAI {
			opts, backend = append(opts, request.ForVertexAI()), gemini.ForVertexAI()
		}
		out, _, err := request.ToGemini(in, opts...)
		if err != nil {
			return
		}
		if err := gemini.ValidateRequest(out, gemini.ForModel(in.Model), backend); err != nil {
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
