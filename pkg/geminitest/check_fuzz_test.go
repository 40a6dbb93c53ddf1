package geminitest_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/validation"
)

// An answer that breaks no rule can be normalized and keeps the invariants of package normalize. It
// is also a stream of one chunk, and stays valid after decoding and encoding.
func FuzzCheckResponse(f *testing.F) {
	for _, seed := range []string{
		good, `{}`, `[]`, `null`, `{"candidates":`, `{"candidates":[{}]}`,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`,
		`{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}`,
		`{"candidates":[{"content":{"role":"user","parts":[{"txt":"a"},{}]},"finishReason":"STOPPED","index":-1},{"index":-1}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":[1,null]}}}]},"finishReason":"STOP"}],` +
			`"usageMetadata":{"promptTokenCount":1,"cachedContentTokenCount":2,"totalTokenCount":9}}`,
		`{"candidates":[{"content":{"parts":[{"text":"\u20ac"}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{}],` +
			`"groundingSupports":[{"groundingChunkIndices":[0,9],"segment":{"startIndex":5,"endIndex":3,"text":"\u20ac"}}]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		found := gemini.CheckResponse(body)
		for _, v := range found {
			if v.Want == "" || v.Rule == "" || v.Position.Offset > len(body) {
				t.Errorf("the finding says too little: %+v", v)
			}
		}
		_ = gemini.CheckStream(body)
		if len(found) > 0 {
			return
		}
		response, err := gemini.DecodeResponse(body)
		if err != nil {
			t.Fatalf("a valid answer does not decode: %v", err)
		}
		encoded, err := gemini.EncodeResponse(response)
		if err != nil {
			t.Fatal(err)
		}
		if again := gemini.CheckResponse(encoded); len(again) > 0 {
			t.Errorf("encoding %s made it invalid: %v", encoded, again)
		}
		if streamed := validation.Errors(gemini.CheckStream(encoded)); len(streamed) > 0 {
			t.Errorf("as a stream %s is invalid: %v", encoded, streamed)
		}
		normal, err := normalize.FromResponse(response)
		if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
			normal, err = blocked.Response, nil
		}
		if err != nil {
			t.Fatalf("a valid answer has no meaning: %v", err)
		}
		if err := normalize.Validate(normal); err != nil {
			t.Error(err)
		}
	})
}
