package messages_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// body converts the body of a Gemini stream.
func body(in io.Reader, opts ...messages.Option) (string, error) {
	var out strings.Builder
	_, err := messages.WriteStream(&out, gemini.NewStreamReader(in).All(), opts...)
	return out.String(), err
}

// sse returns chunks as the body of a stream.
func sse(wire ...string) string { return "data: " + strings.Join(wire, "\n\ndata: ") + "\n\n" }

// eventTypes returns the types of events, with the types of their blocks and deltas.
func eventTypes(events []anthropicapi.StreamEvent) (out []string) {
	for i := range events {
		e := &events[i]
		text := string(e.Type)
		if e.Index != nil {
			text += fmt.Sprint(" ", *e.Index)
		}
		if e.ContentBlock != nil {
			text += " " + string(e.ContentBlock.Type)
		}
		if e.Delta != nil && e.Delta.Type != "" {
			text += " " + string(e.Delta.Type)
		}
		out = append(out, text)
	}
	return out
}

var loop = []string{
	`{"candidates":[{"content":{"parts":[{"text":"I think","thought":true}]}}],"responseId":"r1","modelVersion":"m","usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"thoughtsTokenCount":2,"totalTokenCount":11}}`,
	`{"candidates":[{"content":{"parts":[{"text":"Let me see."}]}}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":3,"thoughtsTokenCount":2,"totalTokenCount":14}}`,
	`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","args":{"n":1.50}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"b","name":"f"}}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":8,"thoughtsTokenCount":2,"totalTokenCount":19}}`,
}

// One block is open at a time, and its index is the number of earlier blocks. Each thinking block
// has one signature. One message_delta has the reason and the usage. Each call is a separate block.
func TestTheEventsOfALoop(t *testing.T) {
	t.Parallel()
	out := chunks(t, loop)
	want := []string{
		"message_start",
		"content_block_start 0 thinking", "content_block_delta 0 thinking_delta",
		"content_block_delta 0 signature_delta", "content_block_stop 0",
		"content_block_start 1 text", "content_block_delta 1 text_delta", "content_block_stop 1",
		"content_block_start 2 thinking", "content_block_delta 2 signature_delta",
		"content_block_stop 2",
		"content_block_start 3 tool_use", "content_block_delta 3 input_json_delta",
		"content_block_stop 3",
		"content_block_start 4 tool_use", "content_block_delta 4 input_json_delta",
		"content_block_stop 4",
		"message_delta", "message_stop",
	}
	if diff := cmp.Diff(want, eventTypes(out.events)); diff != "" {
		t.Error(diff)
	}
	last := out.events[len(out.events)-2]
	if reason, ok := last.Delta.StopReason.Value(); !ok ||
		reason != anthropicapi.StopReasonToolUse || last.Usage.OutputTokens != 10 {
		t.Errorf("message_delta %+v", last)
	}
}

func TestArgumentsAreStreamedAndTheSameAsOfTheWhole(t *testing.T) {
	t.Parallel()
	out := chunks(t, loop)
	m := accumulate(t, out.events)
	if string(m.Content[3].Input) != `{"n":1.50}` || string(m.Content[4].Input) != `{}` {
		t.Errorf("inputs %s and %s", m.Content[3].Input, m.Content[4].Input)
	}
	whole := unary(t, openaitest.DecodeAll(t, loop))
	if diff := cmp.Diff(encode(t, whole), encode(t, m)); diff != "" {
		t.Error(diff)
	}
	pieces := chunks(t, []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f","willContinue":true},"thoughtSignature":"c2ln"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.text","stringValue":"ab","willContinue":true}],"willContinue":true}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.text","stringValue":"cd"}],"willContinue":false}}]},"finishReason":"STOP"}]}`,
	})
	var deltas int
	for i := range pieces.events {
		if d := pieces.events[i].Delta; d != nil && d.Type == anthropicapi.DeltaTypeInputJSONDelta {
			deltas++
		}
	}
	if m := accumulate(t, pieces.events); deltas < 2 ||
		string(m.Content[1].Input) != `{"text":"abcd"}` {
		t.Errorf("%d deltas, input %s", deltas, m.Content[1].Input)
	}
}

func TestEveryBodyEndsInMessageStopOrAnError(t *testing.T) {
	t.Parallel()
	whole := sse(loop...)
	for cut := 0; cut <= len(whole); cut += 7 {
		got, err := body(strings.NewReader(whole[:cut]))
		var last anthropicapi.EventType
		for e, failure := range anthropic.NewStreamReader(strings.NewReader(got)).All() {
			if _, reported := errors.AsType[*anthropic.Error](failure); reported {
				last = anthropicapi.EventTypeError
			} else if failure != nil {
				t.Fatalf("cut at %d: %v", cut, failure)
			} else {
				last = e.Type
			}
		}
		if err == nil && last != anthropicapi.EventTypeMessageStop ||
			err != nil && last != anthropicapi.EventTypeError {
			t.Errorf("cut at %d: the body ends in %s, the error is %v", cut, last, err)
		}
	}
}

func TestAThinkingOnlyTurnGetsAText(t *testing.T) {
	t.Parallel()
	for native, want := range map[string]string{"STOP": "thinking text", "MAX_TOKENS": "thinking",
		"SAFETY": "thinking", "OTHER": "thinking text"} {
		wire := `{"candidates":[{"content":{"parts":[{"text":"t","thought":true}]},"finishReason":"` +
			native + `"}]}`
		out, _ := convert(t, wire)
		if types(out) != want {
			t.Errorf("%s: %s, want %s", native, types(out), want)
		}
		if m := accumulate(t, chunks(t, []string{wire}).events); types(m) != want {
			t.Errorf("%s: the stream has %s, want %s", native, types(m), want)
		}
	}
	_, report := convert(t,
		`{"candidates":[{"content":{"parts":[{"text":"t","thought":true}]},"finishReason":"STOP"}],"responseId":"r","modelVersion":"m","usageMetadata":{"totalTokenCount":0}}`)
	openaitest.Reports(t, report, "added /candidates/0/content/parts")
}

func TestTheLastEventNeedsNoNewline(t *testing.T) {
	t.Parallel()
	whole, err := body(strings.NewReader(sse(loop...)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := body(strings.NewReader(strings.TrimRight(sse(loop...), "\n"))); err != nil ||
		got != whole {
		t.Errorf("%v, and the body is %s", err, got)
	}
}

func TestAnErrorInTheStreamHasTheTypeThatAWholeAnswerHas(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{
		`"code":503,"status":"UNAVAILABLE"`:        "overloaded_error",
		`"code":429,"status":"RESOURCE_EXHAUSTED"`: "rate_limit_error",
		`"code":500,"status":"INTERNAL"`:           "api_error",
		`"code":400,"status":"INVALID_ARGUMENT"`:   "invalid_request_error",
		`"code":504,"status":"DEADLINE_EXCEEDED"`:  "timeout_error",
	} {
		failure := `{"error":{` + status + `,"message":"no"}}`
		got, err := body(strings.NewReader(sse(loop[0], failure)))
		wantEnd := "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"" + want +
			"\",\"message\":\"no\"}}\n\n"
		if err == nil || !strings.HasSuffix(got, wantEnd) || strings.Contains(got, "message_stop") {
			t.Errorf("%s: %v, and the body is %s", status, err, got)
		}
		_, _, err = messages.FromGemini(openaitest.Decode(t, failure))
		if _, reply := messages.FromError(err); reply.Error.Type != want {
			t.Errorf("%s: the whole answer has %s", status, reply.Error.Type)
		}
	}
}

// All members of usage are in message_start, in message_delta and in the whole message.
func TestAllMembersOfUsageAreThere(t *testing.T) {
	t.Parallel()
	members := []string{"input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens",
		"cache_creation", "output_tokens",
		"output_tokens_details", "server_tool_use", "service_tier", "inference_geo", "speed"}
	out := chunks(t, loop)
	m, _ := parts(t, `{"text":"a"}`)
	bare, _ := convert(t, `{"candidates":[{}]}`)
	for name, u := range map[string]anthropicapi.Usage{
		"message_start": out.events[0].Message.Usage,
		"message_delta": *out.events[len(out.events)-2].Usage, "whole": m.Usage,
		"without counts": bare.Usage,
	} {
		data, err := u.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range members {
			if !strings.Contains(string(data), `"`+member+`":`) {
				t.Errorf("%s: no %s in %s", name, member, data)
			}
		}
	}
}

// The prompt's count in the first chunk is in message_start, which waits for it.
func TestMessageStartCountsThePrompt(t *testing.T) {
	t.Parallel()
	start := chunks(t, loop).events[0].Message.Usage
	if *start.InputTokens != 5 {
		t.Errorf("input_tokens %d", *start.InputTokens)
	}
	s := messages.NewStream()
	out, err := s.Push(openaitest.Decode(t, `{"modelVersion":"m","responseId":"r"}`))
	if err != nil || len(out) != 0 {
		t.Errorf("%v, %v", eventTypes(out), err)
	}
	out, err = s.Push(openaitest.Decode(t,
		`{"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`))
	if err != nil || len(out) != 1 || *out[0].Message.Usage.InputTokens != 7 {
		t.Errorf("%v, %v", eventTypes(out), err)
	}
	estimated := chunks(t,
		[]string{`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
			`{"candidates":[{"finishReason":"STOP"}]}`}, messages.WithInputTokens(12))
	if start := estimated.events[0].Message.Usage; *start.InputTokens != 12 {
		t.Errorf("input_tokens %d", *start.InputTokens)
	}
}

// Cached tokens are counted separately from the start.
func TestCachedTokensAreNoInput(t *testing.T) {
	t.Parallel()
	out := chunks(t, loop)
	for _, u := range []anthropicapi.Usage{out.events[0].Message.Usage,
		*out.events[len(out.events)-2].Usage, unary(t, openaitest.DecodeAll(t, loop)).Usage} {
		if read, _ := u.CacheReadInputTokens.Value(); read != 4 || *u.InputTokens != 5 {
			t.Errorf("read %d, input %d", read, *u.InputTokens)
		}
	}
}

// Counts are totals so far, and the last ones are used.
func TestCountsAreNotAddedUp(t *testing.T) {
	t.Parallel()
	m := accumulate(t, chunks(t, loop).events)
	if details, _ := m.Usage.OutputTokensDetails.Value(); m.Usage.OutputTokens != 10 ||
		details.ThinkingTokens != 2 || *m.Usage.InputTokens != 5 {
		t.Errorf("%+v", m.Usage)
	}
}

// The events do not depend on how the stream's bytes are split.
func TestAStreamDoesNotDependOnHowItIsCut(t *testing.T) {
	t.Parallel()
	whole := sse(loop...)
	want, err := body(strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 3, 50, 333} {
		var pieces []io.Reader
		for piece := range slices.Chunk([]byte(whole), size) {
			pieces = append(pieces, strings.NewReader(string(piece)))
		}
		if got, err := body(io.MultiReader(pieces...)); err != nil || got != want {
			t.Errorf("pieces of %d: %v, %s", size, err, got)
		}
	}
}

func TestAStreamThatHasEndedTakesNothingMore(t *testing.T) {
	t.Parallel()
	s := messages.NewStream()
	for _, wire := range loop {
		if _, err := s.Push(openaitest.Decode(t, wire)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Close(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Push(openaitest.Decode(t, loop[0])); err == nil {
		t.Error("it takes a chunk")
	}
	if out, err := s.Close(nil); out != nil || err != nil {
		t.Errorf("%v, %v", out, err)
	}
}

func TestAStreamThatOnlyStopsIsTruncated(t *testing.T) {
	t.Parallel()
	out := convertStream(t, openaitest.DecodeAll(t, loop[:2]), nil)
	if !errors.Is(out.err, wire.ErrTruncated) {
		t.Errorf("%v", out.err)
	}
}

// A probe for one token has no content, but is an answer.
func TestAProbeOfOneTokenIsAnAnswer(t *testing.T) {
	t.Parallel()
	const wire = `{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS","index":0}],"usageMetadata":{"promptTokenCount":4,"totalTokenCount":4},"modelVersion":"m","responseId":"r"}`
	out, report := convert(t, wire)
	if len(out.Content) != 0 || jsonx.Deref(out.StopReason) != anthropicapi.StopReasonMaxTokens {
		t.Errorf("%s", encode(t, out))
	}
	openaitest.Reports(t, report)
	if diff := cmp.Diff(encode(t, out),
		encode(t, accumulate(t, chunks(t, []string{wire}).events))); diff != "" {
		t.Error(diff)
	}
}
