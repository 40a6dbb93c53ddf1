package chat_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// FuzzStreamChunks takes any sequence of chunks, one per line. The chunks of the completion follow
// the rules. A stream that completes makes the same completion as the whole response. Its report
// points to existing values, and with extensions nothing is lost. The written body has one end and
// nothing after it.
func FuzzStreamChunks(f *testing.F) {
	for _, chunks := range streamSeeds {
		f.Add([]byte(strings.Join(chunks, "\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		wire, bodies := chunksOf(data)
		for name, opts := range streamModes {
			opts = append([]chat.Option{chat.WithToolCallIDs(idOfPart)}, opts...)
			out := convertStream(t, wire, nil, opts...)
			checkBody(t, wire, nil, out, opts...)
			if out.err != nil {
				continue
			}
			checkPointers(t, name, []byte("["+strings.Join(bodies, ",")+"]"), out.report)
			if lost := out.report.Of(report.Lost); lost != nil &&
				!strings.Contains(name, "without extensions") {
				t.Errorf("%s: %v", name, lost)
			}
			checkAccumulated(t, name, wire, out, opts...)
		}
	})
}

// idOfPart makes ids that do not depend on late information.
func idOfPart(_ string, _, part int) string { return fmt.Sprint("made-", part) }

// streamSeeds are small streams that together have every feature of streams.
var streamSeeds = [][]string{
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r"}`, `{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"x","thought":true},{"functionCall":{"name":"f"},"thoughtSignature":"s"}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"q","name":"g","args":{"a":1}}}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]}}]}`, `{"candidates":[{"index":1,"finishReason":"MAX_TOKENS","finishMessage":"m"},{"index":0,"finishReason":"SAFETY","safetyRatings":[{"blocked":true}]}]}`},
	{`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"promptFeedback":{"blockReason":"OTHER"}}`},
	{`{"promptFeedback":{"blockReason":"OTHER"}}`, `{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]},"finishMessage":"m"},{"finishReason":"STOP"}]}`},
	{`{"promptFeedback":{"blockReasonMessage":"m"}}`, `{"candidates":[]}`},
	{`{"promptFeedback":{"blockReasonMessage":"m"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"inlineData":{"mimeType":"audio/wav","data":"AA=="}}]}}]}`, `{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"audio/wav","data":"BB=="}},{"executableCode":{"code":"1"}}]},"finishReason":"NO_IMAGE"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"é quoted"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}}]}}]}`, `{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"v"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":9,"text":"quoted"},"groundingChunkIndices":[0]}]},"citationMetadata":{"citationSources":[{"uri":"w","startIndex":1,"endIndex":2}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"logprobsResult":{"chosenCandidates":[{"token":"a","logProbability":-0.5}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"s"}]},"logprobsResult":{"chosenCandidates":[{"token":"","logProbability":"-Infinity"}]},"avgLogprobs":-1,"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}`},
	{`{"usageMetadata0":1,"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"x":1}}`},
	{`{"usageMetadata":{"trafficType":"ON_DEMAND","x":1}}`, `{"usageMetadata":{"totalTokenCount":4},"modelVersion":"m"}`, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"trafficType":"PROVISIONED"},"modelVersion":"n","createTime":"2026-11-20T10:00:00Z"}`},
}

// chunksOf decodes the lines that are chunks, and returns their canonical forms too.
func chunksOf(data []byte) (wire []*geminiapi.GenerateContentResponse, bodies []string) {
	for line := range bytes.Lines(data) {
		c, err := gemini.DecodeResponse(line)
		if err != nil {
			continue
		}
		body, err := gemini.EncodeResponse(c)
		if err != nil {
			continue // raw values that hold the same member twice
		}
		wire, bodies = append(wire, c), append(bodies, string(body))
	}
	return wire, bodies
}

// checkBody checks that the body of a stream consists of its chunks and an end.
func checkBody(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error, out streamed,
	opts ...chat.Option) {
	t.Helper()
	written, _, err := body(t, wire, failure, opts...)
	if (err == nil) != (out.err == nil) {
		t.Fatalf("writing gives %v, converting %v", err, out.err)
	}
	events := strings.SplitAfter(written, "\n\n")
	if last := events[len(events)-1]; last != "" {
		t.Errorf("the body ends within an event: %q", last)
	}
	events = events[:len(events)-1]
	if len(events) != len(out.chunks)+1 {
		t.Fatalf("%d events for %d chunks", len(events), len(out.chunks))
	}
	for i := range out.chunks {
		if want := "data: " + encodeChunk(t, &out.chunks[i]) + "\n\n"; events[i] != want {
			t.Errorf("event %d is %q, want %q", i, events[i], want)
		}
	}
	end := events[len(events)-1]
	if err == nil && end != "data: [DONE]\n\n" ||
		err != nil && !strings.HasPrefix(end, `data: {"error":{"message":`) {
		t.Errorf("the body ends in %q, the error is %v", end, err)
	}
}

// checkAccumulated checks that the chunks make the completion of the whole response, except for
// what the first chunk cannot know.
func checkAccumulated(t testing.TB, name string, wire []*geminiapi.GenerateContentResponse,
	out streamed, opts ...chat.Option) {
	t.Helper()
	got := openaitest.Accumulate(out.chunks)
	opts = append([]chat.Option{chat.WithID(got.ID), chat.WithModelName(got.Model),
		chat.WithCreated(time.Unix(got.Created, 0))}, opts...)
	want := openaitest.Unary(t, wire, opts...)
	if got.Usage == nil {
		want.Usage = nil
	}
	for i := range want.Choices {
		if audio := want.Choices[i].Message.Audio; audio != nil &&
			got.Choices[i].Message.Audio != nil {
			audio.ID = got.Choices[i].Message.Audio.ID
		}
	}
	if diff := cmp.Diff(want, got, sameCompletion); diff != "" {
		t.Errorf("%s: -unary +accumulated: %s", name, diff)
	}
}
