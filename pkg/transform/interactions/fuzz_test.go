package interactions_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	"github.com/google/go-cmp/cmp"
)

// FuzzResponse takes any bytes. Decodable input converts to a valid interaction, and its report
// points to existing values. Other input is refused with an error.
func FuzzResponse(f *testing.F) {
	for _, p := range payloadtest.All()[:4] { // without the large image
		f.Add(p.Body)
	}
	for _, body := range answers {
		f.Add([]byte(body))
	}
	for _, seed := range []string{
		`{"candidates":[{"index":1},{},{"index":-1}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[1]}},{"thought":true},{"thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"é"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":-1},"groundingChunkIndices":[0,-1,9]}]}}]}`,
		`{"candidates":[{}],"usageMetadata":{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":"9223372036854775807","totalTokenCount":-1,"cachedContentTokenCount":7}}`,
		`{"candidates":[{"content":{"parts":[{"text":"a","extraContent":{"interactions":{"new_step":true,"signature":"before"}}},{"extraContent":{"interactions":{"step":{"type":"x_call","id":"1"}}}}]}}],"extraContent":{"interactions":{"id":"v1_x"},"annotations":[{"part":0,"annotations":[{"type":"word_info"}]}]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := gemini.DecodeResponse(data)
		if err != nil {
			return
		}
		body, err := gemini.EncodeResponse(in)
		if err != nil {
			return // raw values that hold the same member twice
		}
		for name, opts := range modes {
			out, entries, err := interactions.FromGemini(in, opts...)
			if err != nil {
				if out != nil || entries != nil {
					t.Error("an error came with a result")
				}
				continue
			}
			encode(t, out)
			checkPointers(t, name, body, entries)
			checkUsage(t, in, out)
		}
	})
}

// streamSeeds are streams, one chunk per line.
var streamSeeds = []string{
	`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"hm","thought":true}]}}]}
{"responseId":"r","candidates":[{"content":{"parts":[{"text":"one"}]}}]}
{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"b25l"}]}}]}
{"responseId":"r","candidates":[{"content":{"parts":[{"text":"two"}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"é"}]}}]}
{"candidates":[{"content":{"parts":[{"text":"b"},{"text":"","thoughtSignature":"AA=="}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":0,"endIndex":2},"groundingChunkIndices":[0]}]}}]}
{"candidates":[{"finishReason":"STOP","groundingMetadata":{"webSearchQueries":["q"]}}],"usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"1","name":"f","partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]}
{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]},"thoughtSignature":"AA=="}]},"finishReason":"STOP"}]}`,
	`{"promptFeedback":{"blockReason":"SAFETY"}}`,
}

// FuzzStreamChunks takes any sequence of chunks, one per line. The events are in order. A stream
// that completes makes the same interaction as the whole answer, and the written body reads back as
// these events.
func FuzzStreamChunks(f *testing.F) {
	for _, seed := range streamSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		chunks, bodies := chunksOf(data)
		for name, opts := range modes {
			opts = append([]interactions.Option{interactions.WithID("v1_x"),
				interactions.WithModelName("m"), interactions.WithToolCallIDs(idOfPart)}, opts...)
			all, entries, err := events(t, chunks, nil, opts...)
			var body bytes.Buffer
			_, _ = interactions.WriteStream(&body, openaitest.Pairs(chunks, nil), opts...)
			for i := 0; i < len(all); i++ {
				want, failed := wire.EncodeEvent(&all[i])
				if failed != nil {
					return // raw values that hold the same member twice
				}
				if !bytes.Contains(body.Bytes(), want) {
					t.Errorf("%s: the body does not have %s", name, want)
				}
			}
			if err != nil {
				continue
			}
			checkGrammar(t, name, all, false)
			checkPointers(t, name, []byte("["+strings.Join(bodies, ",")+"]"), entries)
			checkJoined(t, name, chunks, opts)
		}
	})
}

// idOfPart makes an id without that of the response, which a stream may have too late.
func idOfPart(_ string, candidate, part int) string {
	return fmt.Sprintf("call_%d_%d", candidate, part)
}

// checkJoined compares the interaction of a stream with that of the whole answer. Sources that came
// too late, identities that change and late signatures make other interactions.
func checkJoined(t *testing.T, name string, chunks []*geminiapi.GenerateContentResponse,
	opts []interactions.Option) {
	t.Helper()
	merged, _ := normalize.MergeChunks(chunks...)
	whole, _, err := interactions.FromGemini(merged, opts...)
	if err != nil {
		return
	}
	all, entries, err := events(t, chunks, nil, opts...)
	if err != nil || len(entries.Of("lost")) > 0 {
		return
	}
	for _, c := range chunks {
		for i := range c.Candidates {
			if c.Candidates[i].GroundingMetadata != nil || c.Unknown != nil {
				return
			}
		}
	}
	if len(merged.Candidates) > 1 {
		return
	}
	if diff := cmp.Diff(joined(t, whole), joined(t, accumulated(t, all))); diff != "" {
		t.Errorf("%s (-whole +stream):\n%s", name, diff)
	}
}

// chunksOf decodes the lines that are chunks.
func chunksOf(data []byte) (chunks []*geminiapi.GenerateContentResponse, bodies []string) {
	for line := range bytes.Lines(data) {
		c, err := gemini.DecodeResponse(slices.Clone(line))
		if err != nil {
			continue
		}
		body, err := gemini.EncodeResponse(c)
		if err != nil {
			continue
		}
		chunks, bodies = append(chunks, c), append(bodies, string(body))
	}
	return chunks, bodies
}
