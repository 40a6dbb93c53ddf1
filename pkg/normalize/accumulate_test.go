package normalize_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

func TestAccumulate(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		`{"candidates":[{"content":{"parts":[{"text":"Hm","thought":true}],"role":"model"},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u","title":"T"}}]}}],"modelVersion":"m","responseId":"r"}`,
		withParts(`{"text":"潮は"}`), withParts(`{"text":"満ちる。"}`),
		withParts(`{"inlineData":{"mimeType":"image/png","data":"AA=="}}`),
		`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP","finishMessage":"m",
		"groundingMetadata":{"groundingSupports":[{"segment":{"startIndex":6,"endIndex":18,"text":"満ちる。"},"groundingChunkIndices":[0]}]},
		"logprobsResult":{"chosenCandidates":[{"token":"潮","logProbability":-1}]}}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":2}}`)
	out, err := normalize.Accumulate(slices.Values(s.events(t)))
	if err != nil {
		t.Fatal(err)
	}
	equalJSON(t, asJSON(t, out),
		`{"id":"r","model":"m","candidates":[{"index":0,"role":"model","content_blocks":[
		{"type":"thinking","part":0,"text":"Hm"},{"type":"text","part":1,"text":"潮は満ちる。"},
		{"type":"media","part":2,"media":{"mime_type":"image/png","data":"AA=="}},{"type":"text","part":3,"signature":"c2ln"}],
		"finish_reason":"stop","native_finish_reason":"STOP","finish_message":"m",
		"grounding":{"sources":[{"kind":"web","uri":"u","title":"T"}],"supports":[{"start":2,"end":6,"text":"満ちる。","sources":[0]}],
		"wire":{"groundingChunks":[{"web":{"uri":"u","title":"T"}}],"groundingSupports":[{"segment":{"startIndex":6,"endIndex":18,"text":"満ちる。"},"groundingChunkIndices":[0]}]}},
		"logprobs":{"tokens":[{"token":"潮","logprob":-1}],"wire":{"chosenCandidates":[{"token":"潮","logProbability":-1}]}}}],
		"usage":{"input_tokens":2,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":2,"wire":{"promptTokenCount":2,"totalTokenCount":2}}}`)
}

func TestAccumulateKeepsWhatCameBeforeAnError(t *testing.T) {
	t.Parallel()
	events := streamOf(t,
		withParts(`{"text":"a"},{"functionCall":{"name":"f","willContinue":true}}`),
		`{"usageMetadata":{"promptTokenCount":1}}`,
		`{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`).events(t)
	out, err := normalize.Accumulate(slices.Values(events))
	if !errors.Is(err, &gemini.Error{HTTPStatus: 503}) ||
		normalize.FromError(err).Category != normalize.CategoryServer {
		t.Errorf("got %v", err)
	}
	equalJSON(t, asJSON(t, out),
		`{"candidates":[{"index":0,"content_blocks":[{"type":"text","part":0,"text":"a"},
		{"type":"tool_call","part":1,"tool_call":{"id":"call-0-1","made_id":true,"name":"f","arguments":{},"incomplete":true},"extra":{"functionCall":{"willContinue":true}}}],"finish_reason":"unknown"}],
		"usage":{"input_tokens":1,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0,"wire":{"promptTokenCount":1}}}`)

	for n := range events {
		if _, err := normalize.Accumulate(slices.Values(events[:n])); !errors.Is(err,
			wire.ErrTruncated) {
			t.Errorf("%d of %d events: %v", n, len(events), err)
		}
	}
}

func TestAccumulatorHasTheResponseSoFar(t *testing.T) {
	t.Parallel()
	var a normalize.Accumulator
	out, err := a.Response()
	if err != nil || len(out.Candidates) != 0 {
		t.Errorf("got %+v, %v", out, err)
	}
	var earlier []string
	var responses []*normalize.Response
	for _, e := range streamOf(t, withParts(`{"text":"a"}`),
		withParts(`{"text":"b"},{"text":"c","thoughtSignature":"s"}`),
		`{"candidates":[{"finishReason":"STOP"}]}`).events(t) {
		a.Add(e)
		out, err := a.Response()
		if err != nil {
			t.Fatal(err)
		}
		if err := normalize.Validate(out); err != nil {
			t.Error(err)
		}
		responses, earlier = append(responses, out), append(earlier, asJSON(t, out))
	}
	texts := ""
	for i, out := range responses {
		texts += out.Text() + "|"
		if asJSON(t, out) != earlier[i] {
			t.Errorf("response %d has changed from %s to %s", i, earlier[i], asJSON(t, out))
		}
	}
	if texts != "|a|ab|abc|abc|abc|abc|" {
		t.Errorf("got %s", texts)
	}
}

func TestAccumulatorCountsTheTokensSoFar(t *testing.T) {
	t.Parallel()
	var a normalize.Accumulator
	for _, e := range streamOf(t,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}`).events(t) {
		a.Add(e)
		if e.Type == normalize.EventUsage {
			break
		}
	}
	if out, err := a.Response(); err != nil || out.Usage.InputTokens != 3 {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestAccumulateFindsASignatureOutsideTheParts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ body, want string }{
		"at the root":                    {`{"thoughtSignature":"root","candidates":[{"thoughtSignature":"first","finishReason":"STOP"}]}`, "root"},
		"in the first candidate":         {`{"candidates":[{"thoughtSignature":"first","finishReason":"STOP"},{"index":1,"thoughtSignature":"second"}]}`, "first"},
		"not in any candidate but first": {`{"candidates":[{"finishReason":"STOP"},{"index":1,"thoughtSignature":"second"}]}`, ""},
	} {
		out, err := normalize.Accumulate(slices.Values(streamOf(t, test.body).events(t)))
		if err != nil || out.ThoughtSignature != test.want {
			t.Errorf("%s: got %+v, %v", name, out, err)
		}
	}
}

func TestAccumulatorPassesOverWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	var a normalize.Accumulator
	for _, typ := range []normalize.EventType{"", "newer", normalize.EventToolCallStart,
		normalize.EventToolCallDelta, normalize.EventUsage, normalize.EventResponseExtra, normalize.EventPromptFeedback} {
		a.Add(normalize.Event{Type: typ, Candidate: 3, Text: "x", ToolCallID: "x"})
	}
	out, err := a.Response()
	if diff := cmp.Diff(&normalize.Response{}, out); diff != "" || err != nil {
		t.Errorf("%v:\n%s", err, diff)
	}
}

// A whole response is a stream of one chunk.
func TestAWholeResponseIsAStreamOfOneChunk(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		chunk, err := gemini.DecodeResponse(p.Read(t))
		if _, malformed := errors.AsType[*wire.MalformedError](err); malformed {
			continue // recordings that were cut short; package gemini tests that these are refused
		}
		if err != nil {
			t.Fatal(err)
		}
		checked++
		t.Run(p.Name, func(t *testing.T) {
			s := stream{}
			s.chunks = append(s.chunks, chunk)
			checkJSONForm(t, checkStream(t, s))
		})
	}
	if checked < corpustest.AtLeast(860) {
		t.Errorf("only %d recorded responses", checked)
	}
}
