package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

// FuzzFromGemini checks that OpenAI accepts every result, and that the request is not changed.
func FuzzFromGemini(f *testing.F) {
	for _, document := range []string{
		`{"contents":[{"role":"user","parts":[{"text":"?"}]}]}`,
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},{"role":"model","parts":[{"functionCall":{"name":"f.g","args":{"a":1}}}]},
			{"role":"function","parts":[{"functionResponse":{"name":"f.g","response":{"output":"x"}}}]}],` + weatherTool + `}`,
		`{"contents":[{"parts":[{"text":"?"}]}],"generationConfig":{"responseSchema":{"type":"OBJECT"},"responseMimeType":"text/x.enum","responseModalities":["AUDIO"]}}`,
		`{"contents":[{"parts":[{"fileData":{"fileUri":"gs://a/b"}}]}],"tools":[{"googleSearch":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}}}`,
	} {
		f.Add([]byte(document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		in, err := gemini.DecodeRequest(document)
		if err != nil {
			return
		}
		before, errBefore := gemini.EncodeRequest(in)
		for mode, opts := range modes {
			out, _, err := request.FromGemini(in,
				append(opts[:len(opts):len(opts)], request.ForModel(model))...)
			if err != nil {
				continue
			}
			if _, err := openai.EncodeRequest(out); err != nil && errBefore == nil {
				t.Errorf("%s: %v", mode, err)
			}
			if err := openai.ValidateRequest(out); err != nil && mode != "with extensions" {
				t.Errorf("%s: %v", mode, err)
			}
		}
		if after, _ := gemini.EncodeRequest(in); string(after) != string(before) {
			t.Errorf("the request is %s, was %s", after, before)
		}
	})
}
