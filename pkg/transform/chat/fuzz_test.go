package chat_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// FuzzResponse takes any bytes. Decodable input converts to a valid completion, which its bytes
// express completely. Its report points to existing values, and the model's turn can be restored.
// Other input is refused with an error.
func FuzzResponse(f *testing.F) {
	inputs, err := filepath.Glob("testdata/*.gemini.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, input := range inputs {
		wire, err := os.ReadFile(input)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wire)
	}
	for _, p := range payloadtest.All()[:4] { // without the large image
		f.Add(p.Body)
	}
	for _, seed := range []string{
		`{"candidates":[{"index":1},{},{"index":-1}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[1]}},{"thought":true},{"thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"logprobsResult":{"chosenCandidates":[{"token":"\ud83d\ude00","logProbability":"NaN"}]},"avgLogprobs":"-Infinity"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"é"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":-1},"groundingChunkIndices":[0,-1,9]}]}}]}`,
		`{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[{"x":1}]}`,
		`{"usageMetadata":{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":"9223372036854775807","totalTokenCount":-1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := gemini.DecodeResponse(data)
		if err != nil {
			return
		}
		wire, err := gemini.EncodeResponse(in)
		if err != nil {
			return // raw values that hold the same member twice
		}
		for name, opts := range modes {
			out, entries, err := chat.FromGemini(in, opts...)
			if err != nil {
				if out != nil || entries != nil {
					t.Error("an error came with a result")
				}
				continue
			}
			checkCompletion(t, name, out)
			checkPointers(t, name, wire, entries)
			if opts == nil {
				checkRestored(t, in, out)
				if lost := entries.Of(report.Lost); lost != nil {
					t.Errorf("%v", lost)
				}
			}
		}
	})
}
