package normalize_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// stream is a recorded or constructed stream: its chunks, and the error after them.
type stream struct {
	chunks []*geminiapi.GenerateContentResponse
	err    error
}

// streamOf decodes chunks. "nil" stands for a nil chunk.
func streamOf(t testing.TB, chunks ...string) stream {
	t.Helper()
	var out stream
	for _, body := range chunks {
		if body == "nil" {
			out.chunks = append(out.chunks, nil)
			continue
		}
		out.chunks = append(out.chunks, fromWire(t, body))
	}
	return out
}

func (s stream) all(yield func(*geminiapi.GenerateContentResponse, error) bool) {
	for _, chunk := range s.chunks {
		if !yield(chunk, nil) {
			return
		}
	}
	if s.err != nil {
		yield(nil, s.err)
	}
}

// streamIDs makes streams repeatable. It leaves out the response's id, because a stream may send it
// after its first call.
var streamIDs = normalize.WithToolCallIDs(func(_ string, candidate, part int) string {
	return fmt.Sprintf("call-%d-%d", candidate, part)
})

// events normalises a stream, and checks the promises for the events of every stream.
func (s stream) events(t testing.TB) []normalize.Event {
	t.Helper()
	events := slices.Collect(normalize.Events(s.all, streamIDs))
	checkEvents(t, events)
	return events
}

// checkEvents checks the promises of [normalize.Stream].
func checkEvents(t testing.TB, events []normalize.Event) {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("no events")
	}
	if last := events[len(events)-1]; last.Type != normalize.EventDone &&
		last.Type != normalize.EventError {
		t.Errorf("the last event is %s", last.Type)
	}
	calls := map[int]*normalize.Event{} // the open call of each candidate
	arguments := map[int]string{}
	parts := map[int]int{}
	finished := map[int]bool{}
	for i := range events {
		e := &events[i]
		if (e.Type == normalize.EventStart) != (i == 0) &&
			(i > 0 || e.Type != normalize.EventError) {
			t.Errorf("event %d is %s", i, e.Type)
		}
		if i < len(events)-1 && (e.Type == normalize.EventDone || e.Type == normalize.EventError) {
			t.Errorf("%s is event %d of %d", e.Type, i, len(events))
		}
		if finished[e.Candidate] && isAbout(e) {
			t.Errorf("event %d, %s, comes after the candidate's finish", i, e.Type)
		}
		if open := calls[e.Candidate]; open != nil && hasPart(e) && e.Part != open.Part {
			t.Errorf("event %d, %s, of part %d is within the call of part %d", i, e.Type, e.Part,
				open.Part)
		}
		if hasPart(e) {
			if e.Part < parts[e.Candidate] {
				t.Errorf("event %d, %s: part %d after part %d", i, e.Type, e.Part,
					parts[e.Candidate])
			}
			parts[e.Candidate] = e.Part
		}
		switch e.Type {
		case normalize.EventToolCallStart:
			if calls[e.Candidate] != nil {
				t.Errorf("event %d starts a call within a call", i)
			}
			if e.ToolCallID == "" || e.ToolName == "" {
				t.Errorf("event %d starts a call without a name or an id", i)
			}
			calls[e.Candidate], arguments[e.Candidate] = e, ""
		case normalize.EventToolCallDelta:
			if calls[e.Candidate] == nil || calls[e.Candidate].ToolCallID != e.ToolCallID {
				t.Errorf("event %d has arguments of no open call", i)
			}
			arguments[e.Candidate] += e.ArgumentsDelta
		case normalize.EventToolCallDone:
			checkCallDone(t, e, calls[e.Candidate], arguments[e.Candidate])
			calls[e.Candidate] = nil
		case normalize.EventFinish:
			if calls[e.Candidate] != nil {
				t.Error("a candidate finishes within a call")
			}
			finished[e.Candidate] = true
		case normalize.EventDone:
			if len(finished) == 0 {
				t.Error("done, and no candidate has finished")
			}
		}
	}
	for candidate, open := range calls {
		if open != nil {
			t.Errorf("candidate %d has a call that is never done", candidate)
		}
	}
}

func checkCallDone(t testing.TB, e, open *normalize.Event, joined string) {
	t.Helper()
	if open == nil {
		t.Errorf("the call %q is done and was not started", e.ToolCallID)
		return
	}
	if open.ToolCallID != e.ToolCallID || open.ToolName != e.ToolName || open.MadeID != e.MadeID {
		t.Errorf("the call started as %q %q and ended as %q %q", open.ToolCallID, open.ToolName,
			e.ToolCallID, e.ToolName)
	}
	if joined != string(e.Arguments) {
		t.Errorf("the deltas are %s, the arguments %s", joined, e.Arguments)
	}
	if value := jsontext.Value(joined); !value.IsValid() ||
		value.Kind() != jsontext.KindBeginObject {
		t.Errorf("the arguments are no JSON object: %s", joined)
	}
}

// hasPart reports whether an event is about a part.
func hasPart(e *normalize.Event) bool {
	switch e.Type {
	case normalize.EventTextDelta, normalize.EventThinkingDelta, normalize.EventBlock,
		normalize.EventSignature,
		normalize.EventToolCallStart, normalize.EventToolCallDelta, normalize.EventToolCallDone:
		return true
	default:
		return false
	}
}

// isAbout reports whether an event is about a candidate.
func isAbout(e *normalize.Event) bool {
	switch e.Type {
	case normalize.EventGrounding, normalize.EventCitations, normalize.EventURLContext,
		normalize.EventLogprobs,
		normalize.EventSafety, normalize.EventCandidateExtra, normalize.EventFinish:
		return true
	default:
		return hasPart(e)
	}
}

// checkStream checks a stream's events. Joined, they must equal the response for a whole answer
// with the same content.
func checkStream(t testing.TB, s stream) []normalize.Event {
	t.Helper()
	events := s.events(t)
	got, gotErr := normalize.Accumulate(slices.Values(events))
	want, wantErr := normalize.FromResponse(merged(s.chunks...), streamIDs)
	gotBlocked, gotIsBlocked := errors.AsType[*normalize.BlockedError](gotErr)
	wantBlocked, wantIsBlocked := errors.AsType[*normalize.BlockedError](wantErr)
	switch {
	case gotIsBlocked && wantIsBlocked:
		got, want = gotBlocked.Response, wantBlocked.Response
	case gotErr == nil && wantErr == nil:
		if err := normalize.Validate(got); err != nil {
			t.Error(err)
		}
	case gotErr == nil: // else a stream fails with its first error, a response with its worst
		t.Fatalf("the stream gives %v, the whole response %v", gotErr, wantErr)
	default: // what came before the error has no counterpart
		if err := normalize.Validate(got); err != nil {
			t.Error(err)
		}
		return events
	}
	if diff := cmp.Diff(want, got, sameResponse); diff != "" {
		t.Errorf("-unary +accumulated:\n%s", diff)
	}
	return events
}

// sameResponse compares the content of responses.
var sameResponse = cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateNaNs(), sameJSON}

// lines writes one event per line, in the order of the members of [normalize.Event].
func lines(t testing.TB, events []normalize.Event) string {
	t.Helper()
	var b strings.Builder
	for i := range events {
		line, err := normalize.EncodeEvent(&events[i])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// brief describes an event by the values that most tests check.
func brief(e *normalize.Event) string {
	text := string(e.Type)
	if e.Candidate != 0 {
		text = fmt.Sprintf("[%d] %s", e.Candidate, text)
	}
	if hasPart(e) {
		text += fmt.Sprintf(" %d", e.Part)
	}
	switch e.Type {
	case normalize.EventStart:
		text += " " + e.Model
	case normalize.EventTextDelta, normalize.EventThinkingDelta:
		text += fmt.Sprintf(" %q", e.Text)
	case normalize.EventToolCallStart:
		text += " " + e.ToolName
	case normalize.EventToolCallDelta:
		text += " " + e.ArgumentsDelta
	case normalize.EventToolCallDone:
		text += " " + string(e.Arguments)
		if e.Incomplete {
			text += " incomplete"
		}
	case normalize.EventBlock:
		text += " " + string(e.Block.Type)
	case normalize.EventSignature:
		text += fmt.Sprintf(" %s %s", e.BlockType, e.Signature)
	case normalize.EventFinish:
		text += " " + string(e.FinishReason)
	case normalize.EventError:
		text += fmt.Sprintf(" %s: %s", e.Error.Category, e.Error.Message)
	case normalize.EventUsage, normalize.EventDone:
		text += fmt.Sprintf(" %d/%d/%d/%d", e.Usage.InputTokens, e.Usage.OutputTokens,
			e.Usage.ThinkingTokens, e.Usage.TotalTokens)
	}
	return text
}

func briefs(events []normalize.Event) []string {
	var out []string
	for i := range events {
		out = append(out, brief(&events[i]))
	}
	return out
}

const truncated = "error network: no chunk of the stream has a finish reason: truncated stream"

// These test vectors come from the first description of the state machine. If an expectation
// differs here, a reason says why.
func TestStreamVectors(t *testing.T) {
	t.Parallel()
	content := func(parts string) string { return `{"candidates":[{"content":{"parts":[` + parts + `]}}]}` }
	const stop = `{"candidates":[{"finishReason":"STOP"}]}`
	tests := []struct {
		name   string
		chunks []string
		want   []string
		reason string
	}{
		{
			name:   "text and the model",
			chunks: []string{`{"candidates":[{"content":{"parts":[{"text":"Hello"}]}}],"modelVersion":"gemini-2.5-flash"}`},
			want:   []string{"start gemini-2.5-flash", `text_delta 0 "Hello"`, truncated},
			reason: "a stream that only stops is an error and not a success",
		},
		{
			name:   "two texts in one chunk",
			chunks: []string{content(`{"text":"Hello"},{"text":" world"}`), stop},
			want: []string{"start ", `text_delta 0 "Hello"`, `text_delta 0 " world"`,
				"finish stop", "done 0/0/0/0"},
		},
		{
			name: "the last chunk has all",
			chunks: []string{`{"modelVersion":"gemini-2.5-flash"}`,
				`{"candidates":[{"content":{"parts":[{"text":"!"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,"totalTokenCount":15}}`},
			want: []string{"start gemini-2.5-flash", `text_delta 0 "!"`, "usage 10/5/0/15",
				"finish stop", "done 10/5/0/15"},
		},
		{
			name: "the counts include the thoughts",
			chunks: []string{`{"modelVersion":"gemini-2.5-flash"}`,
				`{"candidates":[{"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":200,"thoughtsTokenCount":50,"totalTokenCount":300}}`},
			want: []string{"start gemini-2.5-flash", "usage 100/150/50/300", "finish length",
				"done 100/150/50/300"},
		},
		{
			name: "thinking and text in turns",
			chunks: []string{content(`{"text":"Thought 1","thought":true}`),
				content(`{"text":"a"}`), content(`{"text":"Thought 2","thought":true}`),
				content(`{"text":"b"}`), stop},
			want: []string{"start ", `thinking_delta 0 "Thought 1"`, `text_delta 1 "a"`,
				`thinking_delta 2 "Thought 2"`, `text_delta 3 "b"`,
				"finish stop", "done 0/0/0/0"},
			reason: "the place of a part rises with every part, and not only from thinking to text",
		},
		{
			name: "a tool call",
			chunks: []string{content(`{"functionCall":{"name":"get_weather","args":{"location":"London"}}}`),
				stop},
			want: []string{"start ", "tool_call_start 0 get_weather",
				`tool_call_delta 0 {"location":"London"}`, `tool_call_done 0 {"location":"London"}`,
				"finish tool_use", "done 0/0/0/0"},
			reason: "a call that does not say that it continues is complete, so it is done at once; a stop with a call is a tool use",
		},
		{
			name: "a tool call and then text",
			chunks: []string{content(`{"functionCall":{"name":"f","args":{"a":1}}}`),
				content(`{"text":"Done"}`), stop},
			want: []string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":1}`,
				`tool_call_done 0 {"a":1}`, `text_delta 1 "Done"`,
				"finish tool_use", "done 0/0/0/0"},
		},
		{
			name: "a tool call and then usage",
			chunks: []string{content(`{"functionCall":{"name":"f","args":{"a":1}}}`),
				`{"usageMetadata":{"promptTokenCount":1,"totalTokenCount":1}}`},
			want: []string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {"a":1}`,
				`tool_call_done 0 {"a":1}`, "usage 1/0/0/1", truncated},
			reason: "usage comes with nearly every chunk and ends nothing",
		},
		{
			name: "two calls of the same tool",
			chunks: []string{content(`{"functionCall":{"name":"complex_tool","args":{"field1":"a"}}}`),
				content(`{"functionCall":{"name":"complex_tool","args":{"field2":"b"}}}`), stop},
			want: []string{"start ",
				"tool_call_start 0 complex_tool", `tool_call_delta 0 {"field1":"a"}`,
				`tool_call_done 0 {"field1":"a"}`,
				"tool_call_start 1 complex_tool", `tool_call_delta 1 {"field2":"b"}`,
				`tool_call_done 1 {"field2":"b"}`,
				"finish tool_use", "done 0/0/0/0"},
			reason: "every function call part is a call of its own; joining their arguments makes invalid JSON",
		},
		{
			name:   "a call with empty arguments",
			chunks: []string{content(`{"functionCall":{"name":"f","args":{}}}`), stop},
			want: []string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {}`,
				`tool_call_done 0 {}`, "finish tool_use", "done 0/0/0/0"},
		},
		{
			name:   "a call without arguments",
			chunks: []string{content(`{"functionCall":{"name":"f"}}`), stop},
			want: []string{"start ", "tool_call_start 0 f", `tool_call_delta 0 {}`,
				`tool_call_done 0 {}`, "finish tool_use", "done 0/0/0/0"},
			reason: "the deltas of a call join to its arguments, which are {} when the model sends none",
		},
		{
			name:   "no chunk",
			chunks: []string{"nil"},
			want:   []string{truncated},
			reason: "there is no event of the chunk, but the stream has to end",
		},
		{
			name:   "parts that say nothing",
			chunks: []string{content(`{"thought":false},{"text":""},{"text":null}`)},
			want:   []string{"start ", truncated},
		},
		{
			name:   "a part of a kind that is unknown",
			chunks: []string{content(`{"someOtherField":1}`)},
			want:   []string{"start ", "block 0 unknown", truncated},
			reason: "what is not known is handed on and not lost",
		},
		{
			name:   "thought is null",
			chunks: []string{content(`{"text":"a","thought":null}`)},
			want:   []string{"start ", `text_delta 0 "a"`, truncated},
		},
		{
			name:   "usage without counts",
			chunks: []string{`{"usageMetadata":{}}`, stop},
			want:   []string{"start ", "finish stop", "done 0/0/0/0"},
		},
		{
			name:   "no candidates",
			chunks: []string{`{"candidates":[],"modelVersion":"m"}`},
			want:   []string{"start m", truncated},
		},
		{
			name:   "no model",
			chunks: []string{content(`{"text":"Hi"}`)},
			want:   []string{"start ", `text_delta 0 "Hi"`, truncated},
		},
		{
			name:   "an error chunk",
			chunks: []string{`{"error":{"message":"API key invalid","status":"UNAUTHENTICATED"}}`},
			want:   []string{"error auth: API key invalid"},
		},
		{
			name: "an error chunk after text",
			chunks: []string{content(`{"text":"a"}`),
				`{"error":{"message":"slow down","status":"RESOURCE_EXHAUSTED"}}`,
				content(`{"text":"b"}`)},
			want: []string{"start ", `text_delta 0 "a"`, "error rate_limit: slow down"},
		},
		{
			name:   "an error of the server",
			chunks: []string{`{"error":{"code":500,"message":"m","status":"INTERNAL"}}`},
			want:   []string{"error server: m"},
			reason: "the canonical status decides, all of them and not only three",
		},
		{
			name:   "an error chunk without anything",
			chunks: []string{`{"error":{}}`},
			want:   []string{"error unknown: Unknown error"},
		},
		{
			name: "the recorded tool call",
			chunks: []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"file_write","args":{"path":"a","content":"b"}}}]}}],"modelVersion":"gemini-2.5-pro-preview-06-05"}`,
				`{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":500,"candidatesTokenCount":200,"totalTokenCount":700}}`},
			want: []string{"start gemini-2.5-pro-preview-06-05", "tool_call_start 0 file_write",
				`tool_call_delta 0 {"path":"a","content":"b"}`,
				`tool_call_done 0 {"path":"a","content":"b"}`, "usage 500/200/0/700",
				"finish tool_use", "done 500/200/0/700"},
		},
		{
			name: "the recorded thinking",
			chunks: []string{content(`{"text":"1","thought":true}`),
				content(`{"text":"2","thought":true}`), content(`{"text":"3","thought":true}`),
				content(`{"text":"4","thought":true}`),
				content(`{"text":"a"}`),
				`{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":25,"thoughtsTokenCount":15,"totalTokenCount":45}}`},
			want: []string{"start ", `thinking_delta 0 "1"`, `thinking_delta 0 "2"`,
				`thinking_delta 0 "3"`, `thinking_delta 0 "4"`,
				`text_delta 1 "a"`, `text_delta 1 "b"`, "usage 5/25/15/45", "finish stop",
				"done 5/25/15/45"},
			reason: "the counts add up with the thoughts next to the candidates, so they are not taken off",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := briefs(checkStream(t, streamOf(t, test.chunks...)))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got (%s):\n%s", test.reason, diff)
			}
		})
	}
}

// In the original vectors, data that is not a chunk causes no event. Here the reader reports it,
// and the stream ends with an error that has the location. Text after a gap would be a wrong
// answer.
func TestAnInvalidChunkEndsTheStream(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{invalid json`, `[1,2,3]`, `"hello"`,
		`{"candidates":[{"content":{"parts":[{"text":123}]}}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":1}}]}}]}`} {
		events := readStream([]byte("data: " + body + "\n\n")).events(t)
		if len(events) != 1 || events[0].Error.Err == nil ||
			!strings.Contains(events[0].Error.Message, "/0") {
			t.Errorf("%s: %s", body, lines(t, events))
		}
	}
}

// walk names the inputs of the state machine of a candidate's content.
var walk = []struct{ name, part string }{
	{"text", `{"text":"t"}`},
	{"empty text", `{"text":""}`},
	{"thought", `{"text":"h","thought":true}`},
	{"signed text", `{"text":"t","thoughtSignature":"s"}`},
	{"signed empty thought", `{"text":"","thought":true,"thoughtSignature":"s"}`},
	{"text with more", `{"text":"t","videoMetadata":{"fps":1}}`},
	{"signature", `{"thoughtSignature":"s"}`},
	{"whole call", `{"functionCall":{"name":"w","args":{"x":1}}}`},
	{"call in one piece", `{"functionCall":{"name":"p","partialArgs":[{"jsonPath":"$.x","numberValue":1}]}}`},
	{"call begins", `{"functionCall":{"name":"c","willContinue":true}}`},
	{"call continues", `{"functionCall":{"partialArgs":[{"jsonPath":"$.y","boolValue":true}],"willContinue":true}}`},
	{"call's last piece", `{"functionCall":{"partialArgs":[{"jsonPath":"$.z","stringValue":"e"}]}}`},
	{"call ends", `{"functionCall":{}}`},
	{"image", `{"inlineData":{"mimeType":"image/png","data":"AA=="}}`},
	{"nothing", `{}`},
}

// TestEveryTransition pushes every input in every state of a candidate's content. Then it pushes
// text, which shows the new state.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	states := map[string]string{
		"no run":     `{"inlineData":{"data":"AA=="}}`,
		"in text":    `{"text":"a"}`,
		"in thought": `{"text":"b","thought":true}`,
		"in call":    `{"functionCall":{"name":"o","willContinue":true}}`,
	}
	// the end of a call that had no arguments
	const called = "tool_call_delta 0 {}|tool_call_done 0 {}|"
	want := map[string]map[string]string{
		"no run": {
			"text": `text_delta 1 "t"|text_delta 1 "."`, "empty text": `text_delta 1 "."`,
			"thought":              `thinking_delta 1 "h"|text_delta 2 "."`,
			"signed text":          `text_delta 1 "t"|signature 1 text s|text_delta 2 "."`,
			"signed empty thought": `signature 1 thinking s|text_delta 2 "."`,
			"text with more":       `text_delta 1 "t"|text_delta 2 "."`,
			"signature":            `signature 1 signature s|text_delta 2 "."`,
			"whole call":           `tool_call_start 1 w|tool_call_delta 1 {"x":1}|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call in one piece":    `tool_call_start 1 p|tool_call_delta 1 {"x":1|tool_call_delta 1 }|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call begins":          `tool_call_start 1 c|tool_call_delta 1 {}|tool_call_done 1 {}|text_delta 2 "."`,
			"call continues":       "error", "call's last piece": "error", "call ends": "error",
			"image": `block 1 media|text_delta 2 "."`, "nothing": `text_delta 1 "."`,
		},
		"in text": {
			"text": `text_delta 0 "t"|text_delta 0 "."`, "empty text": `text_delta 0 "."`,
			"thought":              `thinking_delta 1 "h"|text_delta 2 "."`,
			"signed text":          `text_delta 1 "t"|signature 1 text s|text_delta 2 "."`,
			"signed empty thought": `signature 1 thinking s|text_delta 2 "."`,
			"text with more":       `text_delta 1 "t"|text_delta 2 "."`,
			"signature":            `signature 1 signature s|text_delta 2 "."`,
			"whole call":           `tool_call_start 1 w|tool_call_delta 1 {"x":1}|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call in one piece":    `tool_call_start 1 p|tool_call_delta 1 {"x":1|tool_call_delta 1 }|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call begins":          `tool_call_start 1 c|tool_call_delta 1 {}|tool_call_done 1 {}|text_delta 2 "."`,
			"call continues":       "error", "call's last piece": "error", "call ends": "error",
			"image": `block 1 media|text_delta 2 "."`, "nothing": `text_delta 0 "."`,
		},
		"in thought": {
			"text": `text_delta 1 "t"|text_delta 1 "."`, "empty text": `text_delta 1 "."`,
			"thought":              `thinking_delta 0 "h"|text_delta 1 "."`,
			"signed text":          `text_delta 1 "t"|signature 1 text s|text_delta 2 "."`,
			"signed empty thought": `signature 1 thinking s|text_delta 2 "."`,
			"text with more":       `text_delta 1 "t"|text_delta 2 "."`,
			"signature":            `signature 1 signature s|text_delta 2 "."`,
			"whole call":           `tool_call_start 1 w|tool_call_delta 1 {"x":1}|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call in one piece":    `tool_call_start 1 p|tool_call_delta 1 {"x":1|tool_call_delta 1 }|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call begins":          `tool_call_start 1 c|tool_call_delta 1 {}|tool_call_done 1 {}|text_delta 2 "."`,
			"call continues":       "error", "call's last piece": "error", "call ends": "error",
			"image": `block 1 media|text_delta 2 "."`, "nothing": `text_delta 1 "."`,
		},
		"in call": {
			"text":                 called + `text_delta 1 "t"|text_delta 1 "."`,
			"empty text":           called + `text_delta 1 "."`,
			"thought":              called + `thinking_delta 1 "h"|text_delta 2 "."`,
			"signed text":          called + `text_delta 1 "t"|signature 1 text s|text_delta 2 "."`,
			"signed empty thought": called + `signature 1 thinking s|text_delta 2 "."`,
			"text with more":       called + `text_delta 1 "t"|text_delta 2 "."`,
			"signature":            called + `signature 1 signature s|text_delta 2 "."`,
			"whole call": called +
				`tool_call_start 1 w|tool_call_delta 1 {"x":1}|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call in one piece": called +
				`tool_call_start 1 p|tool_call_delta 1 {"x":1|tool_call_delta 1 }|tool_call_done 1 {"x":1}|text_delta 2 "."`,
			"call begins": called +
				`tool_call_start 1 c|tool_call_delta 1 {}|tool_call_done 1 {}|text_delta 2 "."`,
			"call continues":    `tool_call_delta 0 {"y":true|tool_call_delta 0 }|tool_call_done 0 {"y":true}|text_delta 1 "."`,
			"call's last piece": `tool_call_delta 0 {"z":"e"|tool_call_delta 0 }|tool_call_done 0 {"z":"e"}|text_delta 1 "."`,
			"call ends":         called + `text_delta 1 "."`,
			"image":             called + `block 1 media|text_delta 2 "."`,
			"nothing":           called + `text_delta 1 "."`,
		},
	}
	for state, first := range states {
		for _, input := range walk {
			t.Run(input.name+" "+state, func(t *testing.T) {
				t.Parallel()
				s := streamOf(t, withParts(first), withParts(input.part), withParts(`{"text":"."}`),
					`{"candidates":[{"finishReason":"STOP"}]}`)
				events := briefs(checkStream(t, s))
				got := "error"
				if !strings.HasPrefix(events[len(events)-1], "error") {
					// without the start, the first part, the finish and the done event
					got = strings.Join(events[2:len(events)-2], "|")
				}
				if got != want[state][input.name] {
					t.Errorf("got  %s\nwant %s", got, want[state][input.name])
				}
			})
		}
	}
}

// A finish reason before further content is not the reason why a failed candidate ended.
func TestFailedStreamHasOnlyFinishReasonsThatEndTheirCandidate(t *testing.T) {
	const stopped, text = `{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]}}]}`
	for name, test := range map[string]struct {
		chunks []string
		want   int // finishes
	}{
		"no content after it":          {[]string{stopped}, 1},
		"an empty text after it":       {[]string{stopped, `{"candidates":[{"content":{"parts":[{"text":""}]}}]}`}, 1},
		"content after it":             {[]string{stopped, text}, 0},
		"content and another after it": {[]string{stopped, text, stopped}, 1},
		"an unspecified one last":      {[]string{stopped, text, `{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`}, 0},
		"content of another candidate": {[]string{stopped, `{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}}]}`}, 1},
	} {
		failed := streamOf(t, test.chunks...)
		failed.err = errors.New("connection reset")
		finishes := 0
		for _, e := range failed.events(t) {
			if e.Type == normalize.EventFinish {
				finishes++
			}
		}
		if finishes != test.want {
			t.Errorf("%s: the stream has %d finishes, want %d", name, finishes, test.want)
		}
	}
}
