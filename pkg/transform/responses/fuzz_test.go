package responses_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/gemwire/gemwire/pkg/wire"
)

// FuzzResponse takes any bytes. Decodable input converts to a valid response that can be written
// and loses only other candidates, or it is refused with an error.
func FuzzResponse(f *testing.F) {
	for _, p := range payloadtest.All()[:4] { // without the large image
		f.Add(p.Body)
	}
	for _, seed := range []string{
		`{"candidates":[{"index":1},{},{"index":-1}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[1]}},{"thought":true},{"thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"logprobsResult":{"chosenCandidates":[{"token":"\ud83d\ude00","logProbability":"NaN"}]},"avgLogprobs":"-Infinity"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"é"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":-1},"groundingChunkIndices":[0,-1,9]}]}}]}`,
		`{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[{"x":1}]}`,
		`{"usageMetadata":{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":"9223372036854775807","totalTokenCount":-1}}`,
		`{"candidates":[{"content":{"parts":[{"executableCode":{"code":"1"}},{"codeExecutionResult":{"outcome":"X"},"thought":true},{"codeExecutionResult":{},"thoughtSignature":"s"}]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := gemini.DecodeResponse(data)
		if err != nil {
			return
		}
		for name, opts := range modes {
			out, report, err := toresponses.FromGemini(in, opts...)
			if err != nil {
				continue
			}
			if err := responses.ValidateResponse(out); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := responses.EncodeResponse(out); err != nil {
				if _, isUnwritable := errors.AsType[*wire.EncodeError](err); !isUnwritable {
					t.Errorf("%s: %v", name, err)
				}
			}
			checkLosses(t, name, report)
		}
	})
}

// checkLosses checks that with extensions only other candidates and invalid values are lost.
func checkLosses(t testing.TB, name string, entries report.Report) {
	t.Helper()
	if strings.Contains(name, "without") {
		return
	}
	for _, e := range entries.Of(report.Lost) {
		switch e.Detail {
		case "a response has only one answer", "a value of this type is not valid here",
			"it is not JSON":
		default:
			t.Errorf("%s: %v", name, e)
		}
	}
}

// FuzzStream takes any sequence of chunks, one per line. The events follow the rules. A stream that
// completes makes the same items as the whole response.
func FuzzStream(f *testing.F) {
	for _, seed := range streamSeeds {
		f.Add([]byte(strings.Join(seed, "\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var wire []*geminiapi.GenerateContentResponse
		for line := range bytes.Lines(data) {
			if c, err := gemini.DecodeResponse(line); err == nil {
				wire = append(wire, c)
			}
		}
		for name, opts := range modes {
			opts = append([]toresponses.Option{toresponses.WithToolCallIDs(idOfPart),
				toresponses.WithID("resp_1"), toresponses.WithCreated(time.Unix(7,
					0)), toresponses.WithModelName("m")}, opts...)
			all, err := events(t, wire, nil, opts...)
			if fault := responses.CheckSequence(all); fault != nil {
				t.Fatalf("%s: %v", name, fault)
			}
			for i := range all {
				if fault := responses.ValidateEvent(&all[i]); fault != nil {
					t.Errorf("%s: %s: %v", name, all[i].Type, fault)
				}
			}
			if err == nil && len(all) > 0 {
				compareOutput(t, name, wire, all, opts...)
			}
		}
	})
}

// idOfPart makes ids that do not depend on late information.
func idOfPart(_ string, _, part int) string {
	return "made-" + string(rune('a'+part%26)) + strings.Repeat("x", part/26)
}

// compareOutput compares the items of a stream with the items of the whole response, except for
// what a stream cannot know in time.
func compareOutput(t *testing.T, name string, wire []*geminiapi.GenerateContentResponse,
	all []openaiapi.ResponseEvent, opts ...toresponses.Option) {
	t.Helper()
	merged, _ := normalize.MergeChunks(wire...)
	whole, _, err := toresponses.FromGemini(merged, opts...)
	streamed := last(all).Response
	if err != nil || len(merged.Candidates) > 1 || signsLate(wire) {
		return
	}
	for _, r := range []*openaiapi.Response{whole, streamed} {
		for i := range r.Output {
			parts, _ := r.Output[i].Content.AsValue()
			for j := range parts {
				parts[j].Logprobs = nil // which stand with the message that was open
			}
		}
		r.ExtraContent = nil // other tests cover its values
	}
	if want, got := encoded(t, whole), encoded(t, streamed); want != got {
		t.Errorf("%s: the stream is\n%s, the whole is\n%s", name, got, want)
	}
}

// signsLate reports whether a later piece of a call is signed.
func signsLate(wire []*geminiapi.GenerateContentResponse) bool {
	for _, c := range wire {
		for i := range c.Candidates {
			if c.Candidates[i].Content == nil {
				continue
			}
			for _, p := range c.Candidates[i].Content.Parts {
				if p.FunctionCall != nil &&
					(p.FunctionCall.Name == nil || *p.FunctionCall.Name == "") &&
					p.ThoughtSignature != nil {
					return true
				}
			}
		}
	}
	return false
}

// streamSeeds are small streams that together have every feature of streams.
var streamSeeds = [][]string{
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r"}`, `{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"x","thought":true},{"functionCall":{"name":"f"},"thoughtSignature":"s"}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"q","name":"g","args":{"a":1}}}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]}}]}`, `{"candidates":[{"index":1,"finishReason":"MAX_TOKENS","finishMessage":"m"},{"index":0,"finishReason":"SAFETY","safetyRatings":[{"blocked":true}]}]}`},
	{`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"promptFeedback":{"blockReason":"OTHER"}}`},
	{`{"promptFeedback":{"blockReasonMessage":"m"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"executableCode":{"code":"1"}}]}}]}`, `{"candidates":[{"content":{"parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"},"thoughtSignature":"s"}]},"finishReason":"NO_IMAGE"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"é quoted"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}]}}]}`, `{"candidates":[{"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"v"}},{"retrievedContext":{"title":"d"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":9,"text":"quoted"},"groundingChunkIndices":[0,1]}]},"citationMetadata":{"citationSources":[{"uri":"w","startIndex":1,"endIndex":2}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.5}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]},"logprobsResult":{"chosenCandidates":[{"token":"","logProbability":"-Infinity"}]},"avgLogprobs":-1,"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b","thoughtSignature":"s"},{"toolCall":{"toolType":"GOOGLE_SEARCH_WEB"}},{"text":"c","partMetadata":{"x":1}}]},"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"u"}]},"finishReason":"STOP"}]}`},
}
