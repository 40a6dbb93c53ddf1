package messages_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/google/go-cmp/cmp"
)

// FuzzResponse takes any bytes. Decodable input converts to a valid message, which its bytes
// express completely, and its report points to existing values. Other input is refused with an
// error.
func FuzzResponse(f *testing.F) {
	for _, p := range payloadtest.All()[:4] { // without the large image
		f.Add(p.Body)
	}
	for _, seed := range []string{
		`{"candidates":[{"index":1},{},{"index":-1}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":[1]}},{"thought":true},{"thoughtSignature":"s"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"t","thought":true},{"text":"a","thoughtSignature":"s"},{"text":"u","thought":true},{"functionCall":{"id":"x.y","name":"f"},"thoughtSignature":"c2ln"},{"functionCall":{"id":"x.y","name":"f"}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"executableCode":{"code":"1","language":"PYTHON"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"x"}},{"codeExecutionResult":{}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"é quoted"}]},"groundingMetadata":{"webSearchQueries":["q","r"],"groundingChunks":[{"web":{"uri":"u"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":-1},"groundingChunkIndices":[0,-1,9]}]}}]}`,
		`{"promptFeedback":{"blockReason":"SAFETY"},"candidates":[{"x":1}]}`,
		`{"candidates":[{}],"usageMetadata":{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":"9223372036854775807","totalTokenCount":-1,"cachedContentTokenCount":7}}`,
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
			out, report, err := messages.FromGemini(in, opts...)
			if err != nil {
				if out != nil || report != nil {
					t.Error("an error came with a result")
				}
				continue
			}
			checkMessage(t, name, out)
			checkPointers(t, name, wire, report)
		}
	})
}

// FuzzStreamChunks takes any sequence of chunks, one per line. The events are in order. A stream
// that completes makes the same message as the whole response, and its report points to existing
// values. The written body reads back as these events.
func FuzzStreamChunks(f *testing.F) {
	for _, wire := range streamSeeds {
		f.Add([]byte(strings.Join(wire, "\n")))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		wire, bodies := chunksOf(data)
		for name, opts := range modes {
			opts = append([]messages.Option{messages.WithToolCallIDs(idOfPart)}, opts...)
			out := convertStream(t, wire, nil, opts...)
			checkBody(t, wire, out, opts...)
			if out.err != nil {
				continue
			}
			checkPointers(t, name, []byte("["+strings.Join(bodies, ",")+"]"), out.report)
			checkAccumulated(t, name, wire, out, opts...)
		}
	})
}

// idOfPart makes ids that do not depend on late information.
func idOfPart(_ string, _, part int) string { return fmt.Sprint("made-", part) }

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

// checkBody checks that the body of a stream consists of its events, and of an error if it failed.
func checkBody(t testing.TB, wire []*geminiapi.GenerateContentResponse, out streamed,
	opts ...messages.Option) {
	t.Helper()
	var body strings.Builder
	_, err := messages.WriteStream(&body, openaitest.Pairs(wire, nil), opts...)
	if (err == nil) != (out.err == nil) {
		t.Fatalf("writing gives %v, converting %v", err, out.err)
	}
	r := anthropic.NewStreamReader(strings.NewReader(body.String()))
	var got []string
	var end error
	for e, err := range r.All() {
		if end = err; err == nil {
			data, _ := anthropic.EncodeEvent(e)
			got = append(got, string(data))
		}
	}
	if (end == nil) != (out.err == nil) {
		t.Errorf("the body ends in %v, the stream in %v", end, out.err)
	}
	var want []string
	for i := range out.events {
		data, err := anthropic.EncodeEvent(&out.events[i])
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-events +body: %s", diff)
	}
}

// checkAccumulated checks that the events make the message of the whole response. It excepts values
// that are known too late: the id and model, a signature after the start of its call, and which
// candidate is the first.
func checkAccumulated(t testing.TB, name string, wire []*geminiapi.GenerateContentResponse,
	out streamed, opts ...messages.Option) {
	t.Helper()
	got := accumulate(t, out.events)
	merged, _ := normalize.MergeChunks(wire...)
	if len(merged.Candidates) > 1 || isSignedLate(out) {
		return
	}
	responseID := ""
	for _, c := range wire {
		if c.ResponseID != nil {
			responseID = *c.ResponseID
			break
		}
	}
	if id := merged.ResponseID; id != nil && *id != responseID {
		return
	}
	opts = append([]messages.Option{messages.WithID(got.ID)},
		append(opts, messages.WithModelName(got.Model))...)
	want, _, err := messages.FromGemini(merged, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(encode(t, want), encode(t, got)); diff != "" {
		t.Errorf("%s: -whole +accumulated: %s", name, diff)
	}
}

func isSignedLate(out streamed) bool {
	for _, e := range out.report {
		if e.Detail == "it arrived after the start of its call" {
			return true
		}
	}
	return false
}

// streamSeeds are small streams that together have every feature of streams.
var streamSeeds = [][]string{
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"responseId":"r"}`, `{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"x","thought":true},{"functionCall":{"name":"f"},"thoughtSignature":"s"}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"q","name":"g","args":{"a":1}}}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"x","thought":true}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"b","thoughtSignature":"cw=="},{"text":"y","thought":true}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"x","thought":true}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"cw=="}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"cw=="}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"a"},{"thoughtSignature":"dA=="},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a[0]","stringValue":"x","willContinue":true}],"willContinue":true}}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"b"}]}}]}`, `{"candidates":[{"index":1,"finishReason":"MAX_TOKENS","finishMessage":"m"},{"index":0,"finishReason":"SAFETY","safetyRatings":[{"blocked":true}]}]}`},
	{`{"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{"promptTokenCount":3}}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"promptFeedback":{"blockReason":"OTHER"}}`},
	{`{"promptFeedback":{"blockReason":"OTHER"}}`, `{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]},"finishMessage":"m"},{"finishReason":"STOP"}]}`},
	{`{"promptFeedback":{"blockReasonMessage":"m"}}`, `{"candidates":[]}`},
	{`{"promptFeedback":{"blockReasonMessage":"m"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}},{"executableCode":{"code":"1"}}]}}]}`, `{"candidates":[{"content":{"parts":[{"codeExecutionResult":{"output":"1"}}]},"finishReason":"NO_IMAGE"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"é quoted"}]},"groundingMetadata":{"webSearchQueries":["q"],"groundingChunks":[{"web":{"uri":"u"}}]}}]}`, `{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"v"}}],"groundingSupports":[{"segment":{"startIndex":1,"endIndex":9,"text":"quoted"},"groundingChunkIndices":[0]}]},"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`, `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`, `{"candidates":[{"finishReason":"STOP"}]}`},
	{`{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}`},
	{`{"usageMetadata":{"trafficType":"ON_DEMAND","x":1}}`, `{"usageMetadata":{"totalTokenCount":4},"modelVersion":"m"}`, `{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"trafficType":"PROVISIONED"},"modelVersion":"n","createTime":"2026-11-20T10:00:00Z"}`},
}
