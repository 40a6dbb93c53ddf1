package reverse_test

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

// FuzzToGemini checks that every answer can be written and read as a Gemini response.
func FuzzToGemini(f *testing.F) {
	for _, document := range []string{
		`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":1,"url":"u","title":"t"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`,
		`{"choices":[{"message":{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}}]}`,
		`{"choices":[{"message":{"content":"ab","extra_content":{"google":{"parts":[{"in":"content","length":1},{"in":"content","length":1,"part":{"thoughtSignature":"c2ln"}}]}}}}]}`,
		`{"choices":[{"index":-1,"message":{"content":[{"type":"text","text":"x"}],"audio":{"data":"AAAA"}},"logprobs":{"content":[{"token":"a","logprob":-1}]}}]}`,
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		in, _, err := openai.DecodeForeignResponse(document)
		if err != nil {
			return
		}
		out, _, err := reverse.ToGemini(in)
		if err != nil {
			return
		}
		checkUnderstood(t, out)
	})
}

// checkUnderstood checks that an answer can be written, and that it is valid unless it only passes
// on an extension.
func checkUnderstood(t *testing.T, out *geminiapi.GenerateContentResponse) {
	t.Helper()
	data, err := gemini.EncodeResponse(out)
	if err != nil {
		return // an unknown member that is no JSON, or a number without a form
	}
	again, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	_, _ = normalize.FromResponse(again)
}

// FuzzStream checks that the result does not depend on how the body of a stream is split.
func FuzzStream(f *testing.F) {
	f.Add(asBody([]string{`{"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}`,
		`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}]}`}))
	f.Add(asBody([]string{`{"id":"c","choices":[{"index":1,"delta":{"content":[{"type":"text","text":"x"}],"refusal":"no"}}],"usage":{"prompt_tokens":1}}`}))
	f.Add(asBody([]string{`{"choices":[` + delta(hi) + `]}`,
		`{"choices":[` + message(`"content":"Hi you","tool_calls":[`+callOf1+`]`, "null") +
			`]}`, `{"choices":[` + message(`"tool_calls":[`+callOf1+`,`+callOf2+`]`, `"stop"`) +
			`],"citations":["u"]}`}))
	f.Add(asBody([]string{`{"choices":[{"delta":{"content":"\ud83d","tool_calls":[{"id":"a","function":{"name":"","arguments":"{\"x\":\"\ud83d"}},{"id":"b","function":{"name":"g"}}]}}]}`,
		`{"choices":[{"index":0,"delta":{"content":"\ude00","tool_calls":[{"id":"a","function":{"name":"f","arguments":"\ude00\"}"}}]},"finish_reason":"null"}]}`}))
	f.Fuzz(func(t *testing.T, body []byte) {
		want := convertStream(body)
		s := reverse.NewStream()
		var got converted
		for c, err := range s.Chunks(openai.NewStreamReader(iotest.OneByteReader(bytes.NewReader(body)),
			openai.WithForeignChunks()).All()) {
			if err != nil {
				got.err = err
			} else {
				got.chunks = append(got.chunks, c)
			}
		}
		if (want.err == nil) != (got.err == nil) || len(want.chunks) != len(got.chunks) {
			t.Fatalf("%d chunks and %v, by bytes %d and %v", len(want.chunks), want.err,
				len(got.chunks), got.err)
		}
		for i := range want.chunks {
			checkUnderstood(t, got.chunks[i])
			a, errA := gemini.EncodeResponse(want.chunks[i])
			b, errB := gemini.EncodeResponse(got.chunks[i])
			if errA == nil && (errB != nil || !bytes.Equal(a, b)) {
				t.Errorf("chunk %d is %s, by bytes %s", i, a, b)
			}
		}
	})
}
