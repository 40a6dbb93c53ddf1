package normalize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// shapes are responses of the sizes and kinds that the budgets are set for.
func shapes() map[string]string {
	return map[string]string{
		"text_800B":  textResponse(strings.Repeat("The tide turns twice a day. ", 9)),
		"text_3.5KB": textResponse(strings.Repeat("The tide turns twice a day. ", 105)),
		"tool_call": `{"candidates": [{"content": {"parts": [{"functionCall": {"id": "c1", "name": "tide_table",
			"args": {"harbour": "Husum", "day": "2026-11-20", "metric": true}}, "thoughtSignature": "c2ln"}],
			"role": "model"}, "finishReason": "STOP", "index": 0}], "modelVersion": "gemini-3-pro-preview",
			"usageMetadata": {"promptTokenCount": 61, "candidatesTokenCount": 22, "thoughtsTokenCount": 70, "totalTokenCount": 153}}`,
		"grounded_8KB_ascii": groundedResponse("The tide turns twice a day, here as there. ", 40),
		"grounded_8KB_cjk":   groundedResponse("潮は一日に二度満ち、二度引く。", 40),
	}
}

func textResponse(text string) string {
	return fmt.Sprintf(`{
  "candidates": [{"content": {"parts": [{"text": %q}], "role": "model"}, "finishReason": "STOP", "index": 0}],
  "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 73, "totalTokenCount": 310, "thoughtsTokenCount": 226,
    "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 11}], "serviceTier": "standard"},
  "modelVersion": "gemini-2.5-flash",
  "responseId": "o0hfaePnOYqsqtsP5qOZ2Ag"
}`, text)
}

// groundedResponse has a sentence several times, a support for each, and a source for every third.
func groundedResponse(sentence string, times int) string {
	var chunks, supports []string
	for i := range times {
		supports = append(supports,
			fmt.Sprintf(`{"segment": {"startIndex": %d, "endIndex": %d, "text": %q}, "groundingChunkIndices": [%d]}`,
				i*len(sentence), (i+1)*len(sentence), sentence, i/3))
		if i%3 == 0 {
			chunks = append(chunks,
				fmt.Sprintf(`{"web": {"uri": "https://example.org/%d", "title": "Page %d"}}`, i, i))
		}
	}
	return fmt.Sprintf(`{"candidates": [{"content": {"parts": [{"text": %q}], "role": "model"}, "finishReason": "STOP",
		"groundingMetadata": {"webSearchQueries": ["tides"], "groundingChunks": [%s], "groundingSupports": [%s]}}],
		"usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 800, "totalTokenCount": 809}}`,
		strings.Repeat(sentence, times), strings.Join(chunks, ","), strings.Join(supports, ","))
}

func BenchmarkFromResponse(b *testing.B) {
	for name, body := range shapes() {
		b.Run(name, func(b *testing.B) {
			wire, err := gemini.DecodeResponse([]byte(body))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := normalize.FromResponse(wire); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for name, body := range shapes() {
		b.Run(name, func(b *testing.B) {
			data := []byte(body)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := normalize.Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	for name, body := range shapes() {
		b.Run(name, func(b *testing.B) {
			r, err := normalize.Parse([]byte(body))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := normalize.Validate(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for name, body := range shapes() {
		b.Run(name, func(b *testing.B) {
			r, err := normalize.Parse([]byte(body))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := normalize.Encode(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
