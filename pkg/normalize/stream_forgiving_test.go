package normalize_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

func TestOddChunks(t *testing.T) {
	t.Parallel()
	const stop = `{"candidates":[{"finishReason":"STOP"}]}`
	tests := []struct {
		name   string
		chunks []string
		want   []string
	}{
		{"null among them", []string{"nil", withParts(`{"text":"a"}`), "nil", stop, "nil"},
			[]string{"start ", `text_delta 0 "a"`, "finish stop", "done 0/0/0/0"}},
		{"a null candidate, a null part", []string{`{"candidates":[null]}`, `{"candidates":[{"content":{"parts":[null]}}]}`, stop},
			[]string{"start ", "finish stop", "done 0/0/0/0"}},
		{"a candidate without content", []string{`{"candidates":[{"index":0}]}`, `{"candidates":[{"content":{}}]}`, stop},
			[]string{"start ", "finish stop", "done 0/0/0/0"}},
		{"F2: a finish reason in every chunk", []string{
			`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"c"}]},"finishReason":"RECITATION"}]}`},
			[]string{"start ", `text_delta 0 "a"`, `text_delta 0 "b"`, `text_delta 0 "c"`,
				"finish content_filter", "done 0/0/0/0"}},
		{"text after the finish reason", []string{stop, withParts(`{"text":"a"}`)},
			[]string{"start ", `text_delta 0 "a"`, "finish stop", "done 0/0/0/0"}},
		{"a finish reason that says nothing after one", []string{stop, `{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`, `{"candidates":[{"finishReason":""}]}`},
			[]string{"start ", "finish stop", "done 0/0/0/0"}},
		{"F3: the stop in a chunk after the call's", []string{withParts(`{"functionCall":{"name":"f"}}`), withParts(`{"text":""}`), stop},
			[]string{"start ", "tool_call_start 0 f", "tool_call_delta 0 {}", "tool_call_done 0 {}",
				"finish tool_use", "done 0/0/0/0"}},
		{"F4: a call that was cut by the token limit", []string{withParts(`{"functionCall":{"name":"f"}}`), `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`},
			[]string{"start ", "tool_call_start 0 f", "tool_call_delta 0 {}", "tool_call_done 0 {}",
				"finish length", "done 0/0/0/0"}},
		{"F6: a finish reason and nothing else", []string{`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"m"}]}`},
			[]string{"start ", "finish error", "done 0/0/0/0"}},
		{"two candidates in turns, the second one first", []string{
			`{"candidates":[{"index":1,"content":{"parts":[{"text":"b1"}]}},{"content":{"parts":[{"text":"a1"}]}}]}`,
			`{"candidates":[{"index":1,"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"a2"}]},"finishReason":"MAX_TOKENS"}]}`},
			[]string{"start ", `[1] text_delta 0 "b1"`, `text_delta 0 "a1"`,
				"[1] tool_call_start 1 f", "[1] tool_call_delta 1 {}", "[1] tool_call_done 1 {}",
				`text_delta 0 "a2"`, "finish length", "[1] finish tool_use", "done 0/0/0/0"}},
		{"two candidates without an index", []string{
			`{"candidates":[{"content":{"parts":[{"text":"a1"}]}},{"content":{"parts":[{"text":"b1"}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":"a2"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"b2"}]},"finishReason":"MAX_TOKENS"}]}`},
			[]string{"start ", `text_delta 0 "a1"`, `[1] text_delta 0 "b1"`, `text_delta 0 "a2"`,
				`[1] text_delta 0 "b2"`,
				"finish stop", "[1] finish length", "done 0/0/0/0"}},
		{"an unfinished candidate next to a finished one", []string{
			`{"candidates":[{"index":0,"finishReason":"STOP"},{"index":1,"content":{"parts":[{"text":"b"}]}}]}`},
			[]string{"start ", `[1] text_delta 0 "b"`, "finish stop", "[1] finish unknown",
				"done 0/0/0/0"}},
		{"an index below zero", []string{`{"candidates":[{"index":-1,"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`},
			[]string{"start ", `text_delta 0 "a"`, "candidate_extra", "finish stop",
				"done 0/0/0/0"}},
		{"a call that nothing ends, and a stop", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}`),
			stop},
			[]string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":"x"`,
				`tool_call_delta 0 }`, `tool_call_done 0 {"a":"x"}`, "finish tool_use",
				"done 0/0/0/0"}},
		{"a call that a stop cuts off in a string", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`),
			stop},
			[]string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":"x`,
				`tool_call_delta 0 "}`, `tool_call_done 0 {"a":"x"} incomplete`, "finish tool_use",
				"done 0/0/0/0"}},
		{"a call that another part cuts off in a string", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`),
			withParts(`{"text":"","thoughtSignature":"c2ln"}`),
			`{"candidates":[{"finishReason":"MAX_TOKENS"}]}`},
			[]string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":"x`,
				`tool_call_delta 0 "}`, `tool_call_done 0 {"a":"x"} incomplete`,
				"signature 1 text c2ln", "finish length", "done 0/0/0/0"}},
		{"a call that says it is whole in a string", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}]}}`),
			stop},
			[]string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":"x`,
				`tool_call_delta 0 "}`, `tool_call_done 0 {"a":"x"}`, "finish tool_use",
				"done 0/0/0/0"}},
		{"a call that the token limit cuts off", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true}}`),
			withParts(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true}}`),
			`{"candidates":[{"finishReason":"MAX_TOKENS"}]}`},
			[]string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":"x`,
				`tool_call_delta 0 "}`, `tool_call_done 0 {"a":"x"} incomplete`, "finish length",
				"done 0/0/0/0"}},
		{"a call that the end of the stream cuts off", []string{withParts(`{"functionCall":{"name":"f","willContinue":true}}`)},
			[]string{"start ", "tool_call_start 0 f", "tool_call_delta 0 {}",
				"tool_call_done 0 {} incomplete", truncated}},
		{"a call that an error cuts off", []string{withParts(`{"functionCall":{"name":"f","willContinue":true}}`), `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`},
			[]string{"start ", "tool_call_start 0 f", "tool_call_delta 0 {}",
				"tool_call_done 0 {} incomplete", "error server: m"}},
		{"an error that says there is no error", []string{
			`{"error":false,"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
			`{"error":{},"candidates":[{"finishReason":"STOP"}]}`},
			[]string{"start ", `text_delta 0 "a"`, "response_extra", "response_extra",
				"finish stop", "done 0/0/0/0"}},
		{"an error after the finish reason", []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`, `{"error":{"code":500,"message":"m","status":"INTERNAL"}}`},
			[]string{"start ", `text_delta 0 "a"`, "finish stop", "error server: m"}},
		{"a signature on an empty text in the last chunk", []string{withParts(`{"text":"a"}`),
			`{"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}]}`},
			[]string{"start ", `text_delta 0 "a"`, "signature 1 text c2ln", "finish stop",
				"done 0/0/0/0"}},
		{"a signature on a text in the middle", []string{withParts(`{"text":"a"}`), withParts(`{"text":"b","thoughtSignature":"c2ln"}`), withParts(`{"text":"c"}`), stop},
			[]string{"start ", `text_delta 0 "a"`, `text_delta 1 "b"`, "signature 1 text c2ln",
				`text_delta 2 "c"`, "finish stop", "done 0/0/0/0"}},
		{"a signature on a later piece of a call", []string{
			withParts(`{"functionCall":{"name":"f","willContinue":true},"thoughtSignature":"MQ=="}`),
			withParts(`{"functionCall":{},"thoughtSignature":"Mg=="}`), stop},
			[]string{"start ", "tool_call_start 0 f", "signature 0 tool_call Mg==",
				"tool_call_delta 0 {}", "tool_call_done 0 {}", "finish tool_use", "done 0/0/0/0"}},
		{"U3: running totals, which also fall", []string{
			`{"usageMetadata":{"promptTokenCount":101,"totalTokenCount":101}}`,
			`{"usageMetadata":{"promptTokenCount":101,"totalTokenCount":101,"promptTokensDetails":[{"modality":"TEXT","tokenCount":101}]}}`,
			`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":27,"candidatesTokenCount":3,"totalTokenCount":30}}`,
			`{"usageMetadata":{"trafficType":"ON_DEMAND"}}`},
			[]string{"start ", "usage 101/0/0/101", "usage 27/3/0/30", "finish stop",
				"done 27/3/0/30"}},
		{"G3: metadata of one chunk, in the middle and before the text", []string{
			`{"candidates":[{"groundingMetadata":{"webSearchQueries":["q"]},"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://example.org"}]}}]}`,
			withParts(`{"text":"a"}`),
			`{"candidates":[{"citationMetadata":{"citations":[{"endIndex":1}]},"avgLogprobs":-0.5,"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"tokenCount":1}]}`,
			stop},
			[]string{"start ", "grounding", "url_context", `text_delta 0 "a"`, "citations",
				"logprobs", "safety", "candidate_extra", "finish stop", "done 0/0/0/0"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := briefs(checkStream(t, streamOf(t, test.chunks...)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestIdentityIsThatOfTheFirstChunkThatHasIt(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		`{"modelVersion":"m1","responseId":""}`,
		`{"modelVersion":"m1","responseId":"r1","createTime":"2026-11-20T10:00:00Z","newMember":1}`,
		`{"modelVersion":"m2","responseId":"r1","modelStatus":{"modelStage":"STABLE"},"candidates":[{"finishReason":"STOP"}]}`)
	events := checkStream(t, s)
	want := `{"type":"start","model":"m1"}
{"type":"response_extra","response_extra":{"createTime":"2026-11-20T10:00:00Z","responseId":"r1","newMember":1}}
{"type":"response_extra","response_extra":{"modelStatus":{"modelStage":"STABLE"},"modelVersion":"m2"}}
{"type":"finish","finish_reason":"stop","native_finish_reason":"STOP"}
{"type":"done","usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}
`
	if diff := cmp.Diff(want, lines(t, events)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	out, err := normalize.Accumulate(slices.Values(events))
	if err != nil || out.Model != "m1" || out.ID != "r1" || out.CreateTime == "" {
		t.Errorf("got %+v, %v", out, err)
	}
}

func TestBlockedPromptFailsTheStream(t *testing.T) {
	t.Parallel()
	events := checkStream(t, streamOf(t,
		`{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"not nice","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"HIGH"}]},
		"modelVersion":"m","usageMetadata":{"promptTokenCount":4,"totalTokenCount":4}}`))
	want := []string{"start m", "prompt_feedback", "usage 4/0/0/4",
		"error content_filter: Prompt blocked: SAFETY: not nice"}
	if diff := cmp.Diff(want, briefs(events)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	last := events[len(events)-1]
	blocked, ok := errors.AsType[*normalize.BlockedError](last.Error)
	if !ok || blocked.Reason != "SAFETY" || blocked.Response.Model != "m" ||
		last.Error.ProviderCode != "SAFETY" || last.Usage.InputTokens != 4 {
		t.Errorf("got %+v", last)
	}
	if _, err := normalize.Accumulate(slices.Values(events)); !errors.As(err, &blocked) ||
		blocked.Response.Usage.InputTokens != 4 {
		t.Errorf("got %v", err)
	}
}

func TestPushReturnsWhyTheStreamEnded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		chunk string
		check func(error) bool
	}{
		{"an error envelope", `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`,
			func(err error) bool {
				e, ok := errors.AsType[*gemini.Error](err)
				return ok && e.HTTPStatus == 429
			}},
		{"a call without a name",
			`{"candidates":[{"finishReason":"STOP"},{"index":2,"content":{"parts":[{"text":""},{"functionCall":{"args":{}, "id":"x"}}]}}]}`, func(err error) bool {
				e, ok := errors.AsType[*normalize.PartError](err)
				return ok && e.Pointer == "/2/candidates/1/content/parts/1/functionCall"
			}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := normalize.NewStream()
			for _, chunk := range streamOf(t, "nil", withParts(`{"text":"a"}`)).chunks {
				if _, err := s.Push(chunk); err != nil {
					t.Fatal(err)
				}
			}
			events, err := s.Push(fromWire(t, test.chunk))
			if !test.check(err) {
				t.Errorf("got %v", err)
			}
			if last := events[len(events)-1]; last.Type != normalize.EventError ||
				!errors.Is(last.Error, err) {
				t.Errorf("the last event is %v", brief(&last))
			}
			if events, again := s.Push(fromWire(t, withParts(`{"text":"b"}`))); len(events) != 0 ||
				again != err {
				t.Errorf("afterwards: %v, %v", briefs(events), again)
			}
			if events, err := s.Close(nil); err != nil || len(events) != 0 {
				t.Errorf("closed: %v", briefs(events))
			}
		})
	}
}

func TestArgumentsThatAreNotJSONFailTheStream(t *testing.T) {
	t.Parallel()
	for _, partial := range []bool{false, true} {
		call := &geminiapi.FunctionCall{Name: new("f"), Args: []byte(`{"a":`),
			WillContinue: &partial}
		s := stream{chunks: []*geminiapi.GenerateContentResponse{{Candidates: []geminiapi.Candidate{{
			Content: &geminiapi.Content{Parts: []geminiapi.Part{{Text: new("a")},
				{FunctionCall: call}}},
		}}}}}
		events := checkStream(t, s)
		e, ok := errors.AsType[*normalize.PartError](events[len(events)-1].Error)
		if !ok || e.Pointer != "/0/candidates/0/content/parts/1/functionCall/args" {
			t.Errorf("got %v", briefs(events))
		}
	}
}

func TestCloseSaysHowTheStreamEnds(t *testing.T) {
	t.Parallel()
	finished, unfinished := `{"candidates":[{"finishReason":"STOP"}]}`, withParts(`{"text":"a"}`)
	tests := []struct {
		name  string
		chunk string
		err   error
		want  string
	}{
		{"the end", finished, nil, "finish stop|done 0/0/0/0"},
		{"the end as readers report it", finished, io.EOF, "finish stop|done 0/0/0/0"},
		{"the end too early", unfinished, nil, truncated},
		{"a failure after the finish reason", finished, io.ErrUnexpectedEOF, "finish stop|error network: unexpected EOF"},
		{"a failure that wraps the end", finished, fmt.Errorf("x: %w", io.EOF), "finish stop|error unknown: x: EOF"},
		{"an error of the API", unfinished, &gemini.Error{HTTPStatus: 500, Status: "RESOURCE_EXHAUSTED", Message: "m"}, "error rate_limit: m"},
		{"an error of the API without a status", unfinished, &gemini.Error{HTTPStatus: 503}, "error server: Unknown error"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := normalize.NewStream()
			if _, err := s.Push(fromWire(t, test.chunk)); err != nil {
				t.Fatal(err)
			}
			events, err := s.Close(test.err)
			if last := events[len(events)-1]; (err != nil) != (last.Type == normalize.EventError) ||
				test.err != nil && test.err != io.EOF && err != test.err {
				t.Errorf("the error %v next to %s", err, briefs(events))
			}
			if got := strings.Join(briefs(events), "|"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if last := events[len(events)-1]; test.err != nil && last.Error != nil &&
				!errors.Is(last.Error, test.err) {
				t.Errorf("%v does not wrap %v", last.Error, test.err)
			}
			if again, err := s.Close(nil); err != nil || len(again) != 0 {
				t.Errorf("closed twice: %v", briefs(again))
			}
			if events, err := s.Push(fromWire(t, finished)); len(events) != 0 || err == nil {
				t.Errorf("pushed after the end: %v, %v", briefs(events), err)
			}
		})
	}
}

func TestEventsOfAPushAreReused(t *testing.T) {
	t.Parallel()
	s := normalize.NewStream()
	first, err := s.Push(fromWire(t, withParts(`{"text":"a"}`)))
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.Clone(first)
	if _, err := s.Push(fromWire(t,
		withParts(`{"inlineData":{"data":"AA=="}},{"text":"b"}`))); err != nil {
		t.Fatal(err)
	}
	if got := briefs(kept); !slices.Equal(got, []string{"start ", `text_delta 0 "a"`}) {
		t.Errorf("copies have become %v", got)
	}
}

func TestEventsReadNoFurtherThanTheyMust(t *testing.T) {
	t.Parallel()
	s := streamOf(t, withParts(`{"text":"a"},{"text":"b"}`), `{"error":{}}`,
		withParts(`{"text":"c"}`))
	for range normalize.Events(stream{}.all) { // leaves while the stream is closed
		break
	}
	for leaveAfter, want := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 99: 2} {
		read, seen := 0, 0
		for range normalize.Events(func(yield func(*geminiapi.GenerateContentResponse,
			error) bool) {
			for _, chunk := range s.chunks {
				read++
				if !yield(chunk, nil) {
					return
				}
			}
		}) {
			if seen++; seen == leaveAfter {
				break
			}
		}
		if read != want {
			t.Errorf("left after %d events, %d chunks were read, want %d", leaveAfter, read, want)
		}
	}
}

func TestToolCallIDsOfAStream(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		`{"responseId":"r","candidates":[{"index":3,"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}}]}}]}`,
		`{"candidates":[{"index":3,"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}},{"functionCall":{}},{"functionCall":{"name":"f","id":"own"}}]},"finishReason":"STOP"}]}`)
	var made []string
	ids := normalize.WithToolCallIDs(func(responseID string, candidate, part int) string {
		made = append(made, fmt.Sprint(responseID, candidate, part))
		return made[len(made)-1]
	})
	var got []string
	for e := range normalize.Events(s.all, ids) {
		if e.Type == normalize.EventToolCallDone {
			got = append(got, fmt.Sprint(e.ToolCallID, e.MadeID))
		}
	}
	if want := []string{"r3 1true", "r3 2true", "ownfalse"}; !slices.Equal(got, want) ||
		len(made) != 2 {
		t.Errorf("got %q from %q, want %q", got, made, want)
	}
	random := map[string]bool{}
	for e := range normalize.Events(s.all) {
		if e.Type == normalize.EventToolCallDone {
			random[e.ToolCallID] = true
		}
	}
	if len(random) != 3 {
		t.Errorf("the random ids are %v", random)
	}
}

func TestOtherMembersOfACallAreKept(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		withParts(`{"functionCall":{"name":"f","willContinue":true,"a":1},"partMetadata":{"m":1},"thought":true},
			{"functionCall":{"partialArgs":[{"jsonPath":"$.x","numberValue":1},{"jsonPath":"$.x","numberValue":2}],"willContinue":true,"a":2,"b":3},"videoMetadata":{"fps":2}},
			{"functionCall":{}},{"functionCall":{"name":"g","args":[1]}}`),
		`{"candidates":[{"finishReason":"STOP"}]}`)
	events := checkStream(t, s)
	want := `{"type":"tool_call_done","thought":true,"extra":{"functionCall":{"partialArgs":[{"jsonPath":"$.x","numberValue":2}],"willContinue":true,"a":2,"b":3},` +
		`"partMetadata":{"m":1},"videoMetadata":{"fps":2}},"tool_call_id":"call-0-0","tool_name":"f","made_id":true,"arguments":{"x":1},"incomplete":true}
{"type":"tool_call_done","part":1,"extra":{"functionCall":{"args":[1]}},"tool_call_id":"call-0-1","tool_name":"g","made_id":true,"arguments":{},` +
		`"ignored":["/0/candidates/0/content/parts/3/functionCall/args"]}
`
	done := slices.DeleteFunc(events,
		func(e normalize.Event) bool { return e.Type != normalize.EventToolCallDone })
	if diff := cmp.Diff(want, lines(t, done)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The sources of events point into the stream. The joined events point into the content of their
// candidate, for any index of the candidate.
func TestIgnoredArgumentsAreNamedByThePlaceOfTheirCandidate(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		`{"candidates":[{"index":2147483647,"content":{"parts":[{"text":"a"}]}}]}`,
		`{"candidates":[{"index":0,"finishReason":"STOP"},{"index":2147483647,"content":{"parts":[{"text":"b"},{"functionCall":{"name":"f","args":[]}}]},"finishReason":"STOP"}]}`)
	events := checkStream(t, s)
	var inStream []string
	for i := range events {
		inStream = append(inStream, events[i].Ignored...)
	}
	if diff := cmp.Diff([]string{"/1/candidates/1/content/parts/1/functionCall/args"},
		inStream); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	whole, err := normalize.Accumulate(slices.Values(events))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/candidates/1/content/parts/1/functionCall/args"},
		whole.Ignored); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAStreamThatWasResetIsLikeANewOne(t *testing.T) {
	t.Parallel()
	const stop = `{"candidates":[{"finishReason":"STOP"}]}`
	streams := [][]string{
		{`{"responseId":"a","modelVersion":"m","candidates":[{"index":1,"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}`},
		{`{"promptFeedback":{"blockReason":"SAFETY"}}`},
		{`{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`},
		{`{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`},
		{withParts(strings.Repeat(`{"text":"a","thoughtSignature":"s"},`, 100) + `{"text":"b"}`), stop},
		{`{"responseId":"b","candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":7}}`, stop},
		{withParts(`{"functionCall":{"name":"f"}}`), stop},
	}
	used := normalize.NewStream(streamIDs)
	for range 2 {
		for _, chunks := range streams {
			fresh := normalize.NewStream(streamIDs)
			used.Reset()
			want, got := eventsOf(t, fresh, chunks), eventsOf(t, used, chunks)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%.200s: -new +used:\n%s", chunks, diff)
			}
		}
	}
}

func eventsOf(t *testing.T, s *normalize.Stream, chunks []string) []string {
	t.Helper()
	var out []string
	add := func(events []normalize.Event) {
		data, err := json.Marshal(events, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	for _, chunk := range chunks {
		events, err := s.Push(fromWire(t, chunk))
		add(events)
		out = append(out, fmt.Sprint(err))
	}
	events, err := s.Close(nil)
	add(events)
	return append(out, fmt.Sprint(err, s.Report()))
}
