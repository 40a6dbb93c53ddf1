package normalize_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// candidate is a chunk with members of a candidate.
func candidate(members string) string { return `{"candidates":[{` + members + `}]}` }

func TestMergeChunks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		chunks []string
		want   string
	}{
		{"none", nil, `{}`},
		{"null ones", []string{"nil", "nil"}, `{}`},
		{"identity: the first that is there", []string{`{"responseId":"","modelVersion":"m1"}`, `{"responseId":"r","modelVersion":"m2","createTime":"2026-11-20T10:00:00Z"}`},
			`{"responseId":"r","modelVersion":"m1","createTime":"2026-11-20T10:00:00Z"}`},
		{"unknown members of all chunks", []string{`{"a":{"x":1},"b":"\u00e9"}`, `{"c":2,"a":3}`, `{"c":2,"a":3}`}, `{"a":3,"b":"é","c":2}`},
		{"texts that were escaped in one chunk only", []string{candidate(`"groundingMetadata":{"webSearchQueries":["\u00e9"]}`), candidate(`"groundingMetadata":{"webSearchQueries":["é"]}`)}, candidate(`"groundingMetadata":{"webSearchQueries":["é"]}`)},
		{"model status: the last", []string{`{"modelStatus":{"message":"a"}}`, `{"modelStatus":{"message":"b"}}`, `{}`}, `{"modelStatus":{"message":"b"}}`},
		{"token of the turn: the last", []string{`{"turnToken":"a"}`, `{"turnToken":"b"}`, `{}`}, `{"turnToken":"b"}`},
		{"usage: characters that are charged stay", []string{`{"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4,"billablePromptUsage":{"textCount":9}}}`, `{"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":1,"totalTokenCount":5}}`},
			`{"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":1,"totalTokenCount":5,"billablePromptUsage":{"textCount":9}}}`},
		{"prompt feedback, member by member", []string{`{"promptFeedback":{"blockReason":"OTHER","safetyRatings":[{"category":"A"}],"x":1}}`, `{"promptFeedback":{"blockReasonMessage":"m","safetyRatings":[],"y":2}}`},
			`{"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"m","safetyRatings":[{"category":"A"}],"x":1,"y":2}}`},

		{"usage: the counts of the last record with counts", []string{
			`{"usageMetadata":{"promptTokenCount":5,"thoughtsTokenCount":3,"totalTokenCount":8}}`,
			`{"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`},
			`{"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`},
		{"usage: records without counts", []string{
			`{"usageMetadata":{"trafficType":"ON_DEMAND","billable":{"a":1}}}`,
			`{"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4,"serviceTier":"standard"}}`,
			`{"usageMetadata":{"trafficType":"PROVISIONED_THROUGHPUT","promptTokensDetails":[{"modality":"TEXT","tokenCount":4}]}}`},
			`{"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4,"serviceTier":"standard","trafficType":"PROVISIONED_THROUGHPUT","billable":{"a":1},"promptTokensDetails":[{"modality":"TEXT","tokenCount":4}]}}`},

		{"candidates: by index, which may be absent",
			[]string{`{"candidates":[{"index":2,"content":{"parts":[{"text":"c"}]}}]}`,
				`{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"index":2,"content":{"parts":[{"text":"d"}]}},{"index":1}]}`,
				`{"candidates":[{"index":0,"content":{"parts":[{"text":"b"}]}}]}`},
			`{"candidates":[{"index":0,"content":{"parts":[{"text":"ab"}]}},{"index":1},{"index":2,"content":{"parts":[{"text":"cd"}]}}]}`},
		{"role: the last that is there", []string{candidate(`"content":{"role":"user"}`), candidate(`"content":{"role":"model","x":1}`), candidate(`"content":{"role":"","y":1}`)},
			candidate(`"content":{"role":"model","x":1,"y":1}`)},
		{"the last value", []string{
			candidate(`"finishReason":"STOP","finishMessage":"a","tokenCount":1,"avgLogprobs":-1,"continuationToken":"a","safetyRatings":[{"category":"A"}],"x":1`),
			candidate(`"finishReason":"SAFETY","finishMessage":"b","tokenCount":2,"avgLogprobs":-2,"continuationToken":"b","safetyRatings":[{"category":"B"}],"x":2`),
			candidate(`"safetyRatings":[]`)},
			candidate(`"finishReason":"SAFETY","finishMessage":"b","tokenCount":2,"avgLogprobs":-2,"continuationToken":"b","safetyRatings":[{"category":"B"}],"x":2`)},

		{"text: as one part of each kind", []string{withParts(`{"text":"a"},{"text":"b","thought":false}`), withParts(`{"text":""},{"text":"c"}`), withParts(`{"text":"d","thought":true}`), withParts(`{"text":"e","thought":true}`)},
			withParts(`{"text":"abc"},{"text":"de","thought":true}`)},
		{"text: what is signed or says more stays apart", []string{withParts(`{"text":"a"}`), withParts(`{"text":"b","thoughtSignature":"s"}`), withParts(`{"text":"c","thoughtSignature":"s"}`), withParts(`{"text":"d"}`), withParts(`{"text":"e","x":1}`), withParts(`{"text":"f"}`), withParts(`{"text":"","thoughtSignature":"s"}`)},
			withParts(`{"text":"a"},{"text":"b","thoughtSignature":"s"},{"text":"c","thoughtSignature":"s"},{"text":"d"},{"text":"e","x":1},{"text":"f"},{"text":"","thoughtSignature":"s"}`)},
		{"parts that say nothing are left out", []string{withParts(`{},{"thought":false},{"text":""},{"text":"","thought":true}`)}, `{"candidates":[{"content":{}}]}`},
		{"a call without a name stays one where no call came in pieces", []string{withParts(`{"functionCall":{"name":"f"}},{"functionCall":{}}`)}, withParts(`{"functionCall":{"name":"f"}},{"functionCall":{}}`)},
		{"calls are never joined", []string{withParts(`{"functionCall":{"name":"f","args":{"a": 1}}},{"functionCall":{"name":"f","args":{"a": 1}}}`)},
			withParts(`{"functionCall":{"name":"f","args":{"a":1}}},{"functionCall":{"name":"f","args":{"a":1}}}`)},
		{"a call in pieces", []string{withParts(`{"functionCall":{"name":"f","id":"c1","willContinue":true},"thoughtSignature":"s"}`), withParts(`{"functionCall":{"id":"c2","partialArgs":[{"jsonPath":"$.a","numberValue":1}],"willContinue":true},"partMetadata":{"m":1}}`), withParts(`{"functionCall":{}}`), withParts(`{"functionCall":{}}`)},
			withParts(`{"functionCall":{"name":"f","id":"c1","args":{"a":1}},"thoughtSignature":"s","partMetadata":{"m":1}}`)},
		{"a call that was cut off", []string{withParts(`{"functionCall":{"name":"f","willContinue":true}}`), candidate(`"finishReason":"MAX_TOKENS"`)},
			candidate(`"content":{"parts":[{"functionCall":{"name":"f","args":{},"willContinue":true}}]},"finishReason":"MAX_TOKENS"`)},

		{"grounding: one record", []string{candidate(`"groundingMetadata":{}`), candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"a"}}]}`), candidate(`"groundingMetadata":{}`)},
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"a"}}]}`)},
		{"grounding: lists that repeat and grow", []string{
			candidate(`"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"a"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0]}],"searchEntryPoint":{"renderedContent":"old"}}`),
			candidate(`"groundingMetadata":{"webSearchQueries":["q","r"],"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0]},{"segment":{"endIndex":2},"groundingChunkIndices":[1]}],"searchEntryPoint":{"renderedContent":"new"}}`)},
			candidate(`"groundingMetadata":{"webSearchQueries":["q","r"],"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}}],"groundingSupports":[{"segment":{"endIndex":1},"groundingChunkIndices":[0]},{"segment":{"endIndex":2},"groundingChunkIndices":[1]}],"searchEntryPoint":{"renderedContent":"new"}}`)},
		{"grounding: supports that count their own chunks", []string{
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}}]}`),
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"c"}},{"web":{"uri":"a"}}],"groundingSupports":[{"groundingChunkIndices":[0,1],"confidenceScores":[0.5,1]}]}`)},
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}},{"web":{"uri":"c"}}],"groundingSupports":[{"groundingChunkIndices":[2,0],"confidenceScores":[0.5,1]}]}`)},
		{"grounding: supports that count all chunks", []string{
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}}]}`),
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"c"}}],"groundingSupports":[{"groundingChunkIndices":[0]},{"groundingChunkIndices":[2]}]}`),
			candidate(`"groundingMetadata":{"groundingSupports":[{"groundingChunkIndices":[1]}],"retrievalQueries":["r"],"imageSearchQueries":["i"],"googleMapsWidgetContextToken":"t","x":1}`)},
			candidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}},{"web":{"uri":"b"}},{"web":{"uri":"c"}}],"groundingSupports":[{"groundingChunkIndices":[0]},{"groundingChunkIndices":[2]},{"groundingChunkIndices":[1]}],"retrievalQueries":["r"],"imageSearchQueries":["i"],"googleMapsWidgetContextToken":"t","x":1}`)},
		{"citations", []string{
			candidate(`"citationMetadata":{"citationSources":[{"endIndex":3,"uri":"a"}],"citations":[{"uri":"x"}],"p":1}`),
			candidate(`"citationMetadata":{"citationSources":[{"endIndex":3,"uri":"a"},{"endIndex":4,"uri":"a"}],"q":2}`)},
			candidate(`"citationMetadata":{"citationSources":[{"endIndex":3,"uri":"a"},{"endIndex":4,"uri":"a"}],"citations":[{"uri":"x"}],"p":1,"q":2}`)},
		{"pages and attributions", []string{
			candidate(`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"a"}],"p":1},"groundingAttributions":[{"sourceId":{}}]`),
			candidate(`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"b"}]},"groundingAttributions":[{"sourceId":{}},{"x":1}]`)},
			candidate(`"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"a"},{"retrievedUrl":"b"}],"p":1},"groundingAttributions":[{"sourceId":{}},{"x":1}]`)},
		{"log probabilities: tokens repeat, and alternatives stay with theirs", []string{
			candidate(`"logprobsResult":{"chosenCandidates":[{"token":"ha"}],"logProbabilitySum":-1}`),
			candidate(`"logprobsResult":{"chosenCandidates":[{"token":"ha"}],"topCandidates":[{"candidates":[{"token":"ha"}]}],"logProbabilitySum":-2,"x":1}`)},
			candidate(`"logprobsResult":{"chosenCandidates":[{"token":"ha"},{"token":"ha"}],"topCandidates":[{},{"candidates":[{"token":"ha"}]}],"logProbabilitySum":-2,"x":1}`)},
		{"nothing after an error", []string{withParts(`{"text":"a"}`), `{"error":{"code":500},"responseId":"r"}`, withParts(`{"text":"b"}`)},
			`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"error":{"code":500}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := streamOf(t, test.chunks...)
			before := encodeAll(t, s.chunks)
			got, err := gemini.EncodeResponse(merged(s.chunks...))
			if err != nil {
				t.Fatal(err)
			}
			equalJSON(t, string(got), test.want)
			if !slices.Equal(encodeAll(t, s.chunks), before) {
				t.Error("merging has changed the chunks")
			}
			if len(s.chunks) > 0 {
				checkStream(t, s)
			}
		})
	}
}

func encodeAll(t testing.TB, chunks []*geminiapi.GenerateContentResponse) []string {
	t.Helper()
	var out []string
	for _, chunk := range chunks {
		if chunk == nil {
			out = append(out, "nil")
			continue
		}
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// Merging in steps has the same result as merging at once, and merging again changes nothing. Only
// a call in pieces cannot be merged in steps, because each merged response is complete.
func TestMergingIsAssociative(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			chunks := readStream(p.Read(t)).chunks
			whole := merged(chunks...)
			want := encodeAll(t, []*geminiapi.GenerateContentResponse{whole})[0]
			equalJSON(t, encodeAll(t, []*geminiapi.GenerateContentResponse{merged(whole)})[0], want)
			for cut := range chunks {
				if slices.ContainsFunc(chunks,
					func(c *geminiapi.GenerateContentResponse) bool { return partialArguments(c) > 0 }) {
					break
				}
				front, back := merged(chunks[:cut]...), merged(chunks[cut:]...)
				got := encodeAll(t, []*geminiapi.GenerateContentResponse{merged(front, back)})[0]
				equalJSON(t, got, want)
			}
		})
	}
}

// merged returns the merged response of chunks.
func merged(chunks ...*geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	out, _ := normalize.MergeChunks(chunks...)
	return out
}
