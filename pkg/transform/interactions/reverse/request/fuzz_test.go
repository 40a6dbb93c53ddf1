package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
)

// FuzzFromGemini checks that Google is not known to refuse any result, that the result can be
// encoded and read, and that the request is not changed.
func FuzzFromGemini(f *testing.F) {
	for _, document := range []string{
		`{` + hello + `}`,
		`{"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},{"role":"model","parts":[{"functionCall":{"name":"f.g","args":{"a":1}}}]},
			{"role":"function","parts":[{"functionResponse":{"name":"f.g","response":{"error":[1]}}}]}]}`,
		`{` + hello + `,"generationConfig":{"responseSchema":{"type":"OBJECT","required":[]},"responseMimeType":"text/x.enum","responseModalities":["AUDIO"],"imageConfig":{}}}`,
		`{"contents":[{"role":"model","parts":[{"extraContent":{"interactions":{"step":{"type":"thought"}}}},{"text":"","thoughtSignature":"AA=="}]}],"tools":[{"googleSearch":{},"googleMaps":{}}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]},"retrievalConfig":{"latLng":{}}}}`,
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
				append([]request.Option{request.ForModel(model)}, opts...)...)
			if err != nil {
				continue
			}
			data, err := interactions.EncodeRequest(out)
			if err != nil && errBefore == nil {
				t.Errorf("%s: %v", mode, err)
			}
			if _, err := interactions.DecodeRequest(data); err != nil && errBefore == nil {
				t.Errorf("%s: %v", mode, err)
			}
		}
		if after, _ := gemini.EncodeRequest(in); string(after) != string(before) {
			t.Errorf("the request is %s, was %s", after, before)
		}
	})
}
