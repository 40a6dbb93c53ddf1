package agent_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// numbered names text blocks b1, b2 and so on.
func numbered() agent.Option {
	n := 0
	return agent.WithTextIDs(func() string {
		n++
		return fmt.Sprintf("b%d", n)
	})
}

// finishZero and finishCalls are finishes with zero counts, because events have no counts.
var (
	finishZero  = finishWith(aisdkapi.UnifiedFinishReasonStop)
	finishCalls = finishWith(aisdkapi.UnifiedFinishReasonToolCalls)
)

func finishWith(reason aisdkapi.UnifiedFinishReason) aisdkapi.Part {
	return aisdkapi.Finish{
		Usage: aisdkapi.Usage{
			InputTokens: aisdkapi.InputTokens{Total: new(0), NoCache: new(0), CacheRead: new(0),
				CacheWrite: new(0)},
			OutputTokens: aisdkapi.OutputTokens{Total: new(0), Text: new(0), Reasoning: new(0)},
		},
		FinishReason: aisdkapi.FinishReason{Unified: reason},
	}
}

func call(id, tool, input string) aisdkapi.Part {
	return aisdkapi.ToolCall{ToolCallID: id, ToolName: tool, Input: input}
}

// step is an event with its result, and the context after it.
type step struct {
	event   string
	parts   []aisdkapi.Part
	session agent.SessionUpdate
	relay   bool   // whether the relay request is the event
	open    bool   // whether a text block is open
	content string // of the open block
}

// walk maps the events of a stream in order and compares the results.
func walk(t *testing.T, name string, steps []step) {
	t.Helper()
	c := agent.NewMapperContext(numbered())
	for _, s := range steps {
		want := agent.Result{Parts: s.parts, SessionUpdate: s.session}
		if s.relay {
			want.RelayRequest = jsontext.Value(s.event)
		}
		got := agent.MapNDJSONEvent(jsontext.Value(s.event), c)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(agent.Result{}, "Report")); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, s.event, diff)
		}
		if c.TextBlockOpen() != s.open || c.LastAssistantContent() != s.content {
			t.Errorf("%s: after %s: open %t, content %q", name, s.event, c.TextBlockOpen(),
				c.LastAssistantContent())
		}
	}
}

const (
	hello  = `{"type":"message","role":"assistant","content":"Hello ","delta":true}`
	world  = `{"type":"message","role":"assistant","content":"world!","delta":true}`
	thanks = `{"type":"message","role":"assistant","content":"Done."}`
)

func TestTextInDeltas(t *testing.T) {
	t.Parallel()
	c := agent.NewMapperContext(numbered())
	start := agent.MapNDJSONEvent(jsontext.Value(`{"type":"init","session_id":"s1","modelId":"gemini-model"}`),
		c)
	want := agent.Result{
		Parts:         []aisdkapi.Part{aisdkapi.ResponseMetadata{ModelID: "gemini-model"}},
		SessionUpdate: agent.SessionUpdate{GeminiSessionID: "s1"},
	}
	if diff := cmp.Diff(want, start); diff != "" {
		t.Errorf("init (-want +got):\n%s", diff)
	}
	parts := agent.MapNDJSONEvent(jsontext.Value(hello), c).Parts
	parts = append(parts, agent.MapNDJSONEvent(jsontext.Value(world), c).Parts...)
	if !c.TextBlockOpen() || c.LastAssistantContent() != "Hello world!" {
		t.Errorf("open %t, content %q", c.TextBlockOpen(), c.LastAssistantContent())
	}
	parts = append(parts, agent.FinishStream(c)...)
	wantParts := []aisdkapi.Part{
		aisdkapi.TextStart{ID: "b1"},
		aisdkapi.TextDelta{ID: "b1", Delta: "Hello "},
		aisdkapi.TextDelta{ID: "b1", Delta: "world!"},
		aisdkapi.TextEnd{ID: "b1"},
		finishZero,
	}
	if diff := cmp.Diff(wantParts, parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.TextBlockOpen() || c.LastAssistantContent() != "" {
		t.Errorf("after the finish: open %t, content %q", c.TextBlockOpen(),
			c.LastAssistantContent())
	}
	if diff := cmp.Diff([]aisdkapi.Part{finishZero}, agent.FinishStream(c)); diff != "" {
		t.Errorf("finished again (-want +got):\n%s", diff)
	}
}

func TestEventsByTheirRules(t *testing.T) {
	t.Parallel()
	delta := func(id, text string) aisdkapi.Part { return aisdkapi.TextDelta{ID: id, Delta: text} }
	start := func(id string) aisdkapi.Part { return aisdkapi.TextStart{ID: id} }
	end := func(id string) aisdkapi.Part { return aisdkapi.TextEnd{ID: id} }
	opened := step{event: hello, parts: []aisdkapi.Part{start("b1"), delta("b1", "Hello ")},
		open: true, content: "Hello "}
	for name, steps := range map[string][]step{
		"a snapshot request closes the text and calls getFormSnapshot": {
			opened,
			{
				event: `{"type":"snapshot_request","requestId":"req-1","instruction":"Fill the login form"}`,
				parts: []aisdkapi.Part{end("b1"),
					call("req-1", "getFormSnapshot", `{"instruction":"Fill the login form"}`),
					finishCalls},
				session: agent.SessionUpdate{PendingRequestID: "req-1"}, relay: true,
			},
		},
		"an execute request calls executeFormActions": {
			{
				event: `{"requestId":"req-2","fields":[{"id":7}],"actions":[{"click":"#ok"}],"type":"execute_request","sessionId":"s"}`,
				parts: []aisdkapi.Part{call("req-2", "executeFormActions",
					`{"actions":[{"click":"#ok"}],"fields":[{"id":7}]}`), finishCalls},
				session: agent.SessionUpdate{PendingRequestID: "req-2"}, relay: true,
			},
		},
		"absent arguments are absent and null ones null": {
			{
				event: `{"type":"snapshot_request","requestId":"r","instruction":null}`,
				parts: []aisdkapi.Part{call("r", "getFormSnapshot", `{"instruction":null}`),
					finishCalls},
				session: agent.SessionUpdate{PendingRequestID: "r"}, relay: true,
			},
			{
				event:   `{"type":"execute_request","requestId":"r"}`,
				parts:   []aisdkapi.Part{call("r", "executeFormActions", `{}`), finishCalls},
				session: agent.SessionUpdate{PendingRequestID: "r"}, relay: true,
			},
		},
		"arguments keep their key order, their numbers and their characters, but not white space": {
			{
				event: `{"type":"snapshot_request","requestId":"r","document":{"z": 1.0, "a": [12345678901234567890, 1e2, -0],` +
					` "h":"<b>&amp;\u003c\/é😀","b":"\ud83d"},"instruction":"<i>"}`,
				parts: []aisdkapi.Part{call("r", "getFormSnapshot",
					`{"instruction":"<i>","document":{"z":1.0,"a":[12345678901234567890,1e2,-0],`+
						`"h":"<b>&amp;\u003c\/é😀","b":"\ud83d"}}`), finishCalls},
				session: agent.SessionUpdate{PendingRequestID: "r"}, relay: true,
			},
		},
		"a request without an id only closes the text": {
			opened,
			{event: `{"type":"snapshot_request","instruction":"x"}`, parts: []aisdkapi.Part{end("b1")}},
			{event: `{"type":"snapshot_request","requestId":""}`},
			{event: `{"type":"execute_request","requestId":7}`},
		},
		"a whole message is a block of its own": {
			{event: thanks, parts: []aisdkapi.Part{start("b1"), delta("b1", "Done."), end("b1")}},
			{
				event: `{"type":"message","role":"assistant","content":"done","delta":false}`,
				parts: []aisdkapi.Part{start("b2"), delta("b2", "done"), end("b2")},
			},
			{
				event: `{"type":"message","role":"assistant","content":"almost","delta":"true"}`,
				parts: []aisdkapi.Part{start("b3"), delta("b3", "almost"), end("b3")},
			},
			{
				event: `{"type":"message","role":"assistant","content":"so","delta":1}`,
				parts: []aisdkapi.Part{start("b4"), delta("b4", "so"), end("b4")},
			},
		},
		"a whole message closes the block before it": {
			opened,
			{event: thanks, parts: []aisdkapi.Part{end("b1"), start("b2"), delta("b2", "Done."), end("b2")}},
			{event: world, parts: []aisdkapi.Part{start("b3"), delta("b3", "world!")}, open: true, content: "world!"},
		},
		"an empty whole message is only the end of the block before it": {
			opened,
			{event: `{"type":"message","role":"assistant","content":""}`, parts: []aisdkapi.Part{end("b1")}},
			{event: `{"type":"message","role":"assistant"}`},
			{event: `{"type":"message","role":"assistant","content":["x"],"delta":false}`},
		},
		"an empty delta is a delta": {
			{
				event: `{"type":"message","role":"assistant","content":"","delta":true}`,
				parts: []aisdkapi.Part{start("b1"), delta("b1", "")}, open: true,
			},
			{event: `{"type":"message","role":"assistant","delta":true}`, parts: []aisdkapi.Part{delta("b1", "")}, open: true},
			{event: `{"type":"message","role":"assistant","content":{"a":1},"delta":true}`, parts: []aisdkapi.Part{delta("b1", "")}, open: true},
		},
		"other roles do not speak, and do not close a block": {
			opened,
			{event: `{"type":"message","role":"user","content":"hi","delta":true}`, open: true, content: "Hello "},
			{event: `{"type":"message","content":"hi"}`, open: true, content: "Hello "},
			{event: `{"type":"message","role":"Assistant","content":"hi"}`, open: true, content: "Hello "},
			{event: `{"type":"message","role":["assistant"],"content":"hi"}`, open: true, content: "Hello "},
			{event: world, parts: []aisdkapi.Part{delta("b1", "world!")}, open: true, content: "Hello world!"},
		},
		"init always has metadata": {
			{event: `{"type":"init"}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{event: `{"type":"init","modelId":"","session_id":""}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{event: `{"type":"init","modelId":3,"session_id":null}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{event: `{"type":"init","model_id":"x","sessionId":"s"}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{event: `{"type":"init","model":"x"}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{ModelID: "x"}}},
			{event: `{"type":"init","model":"x","modelId":"y"}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{ModelID: "y"}}},
			{event: `{"type":"init","model":"x","modelId":""}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{ModelID: "x"}}},
			{event: `{"type":"init","model":["x"]}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{
				event:   `{"type":"init","session_id":"s2"}`,
				parts:   []aisdkapi.Part{aisdkapi.ResponseMetadata{}},
				session: agent.SessionUpdate{GeminiSessionID: "s2"},
			},
		},
		"sandbox has metadata without members": {
			{
				event:   `{"type":"sandbox","sandbox_id":"sbx_123"}`,
				parts:   []aisdkapi.Part{aisdkapi.ResponseMetadata{}},
				session: agent.SessionUpdate{SandboxID: "sbx_123"},
			},
			{event: `{"type":"sandbox","sandbox_id":""}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
			{event: `{"type":"sandbox","modelId":"m"}`, parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{}}},
		},
		"a relay session is complete or nothing": {
			{
				event: `{"type":"relay.session","sessionId":"rs","token":"tk","relayUrl":"https://relay.example","expiresAt":1}`,
				session: agent.SessionUpdate{RelaySessionID: "rs", RelayToken: "tk",
					RelayURL: "https://relay.example"},
			},
			{event: `{"type":"relay.session","sessionId":"rs","token":"tk"}`},
			{event: `{"type":"relay.session","sessionId":"rs","relayUrl":"https://relay.example"}`},
			{event: `{"type":"relay.session","token":"tk","relayUrl":"https://relay.example"}`},
			{event: `{"type":"relay.session","sessionId":"rs","token":"","relayUrl":"https://relay.example"}`},
		},
		"the agent's own tools and everything unknown have no parts": {
			opened,
			{event: `{"type":"tool_use","tool_id":"t1","tool_name":"shell","parameters":{}}`, open: true, content: "Hello "},
			{event: `{"type":"tool_result","tool_id":"t1","status":"success","output":"ok"}`, open: true, content: "Hello "},
			{event: `{"type":"stderr","content":"warning"}`, open: true, content: "Hello "},
			{event: `{"type":"snapshot","data":{}}`, open: true, content: "Hello "},
			{event: `{"type":"Message","role":"assistant","content":"x"}`, open: true, content: "Hello "},
			{event: `{"type":""}`, open: true, content: "Hello "},
			{event: `{"type":["init"]}`, open: true, content: "Hello "},
			{event: `{"type":null}`, open: true, content: "Hello "},
			{event: `{"role":"assistant","content":"x"}`, open: true, content: "Hello "},
			{event: `{}`, open: true, content: "Hello "},
		},
		"a value that is not a JSON object has no parts": {
			opened,
			{event: ``, open: true, content: "Hello "},
			{event: `{"type":"init"`, open: true, content: "Hello "},
			{event: `{type:init}`, open: true, content: "Hello "},
			{event: `{"type":"init",}`, open: true, content: "Hello "},
			{event: `{"type":"init"}{}`, open: true, content: "Hello "},
			{event: `["init"]`, open: true, content: "Hello "},
			{event: `null`, open: true, content: "Hello "},
		},
		"of a member that is there twice the last one counts": {
			{
				event: `{"type":"stderr","type":"init","modelId":"a","modelId":"b"}`,
				parts: []aisdkapi.Part{aisdkapi.ResponseMetadata{ModelID: "b"}},
			},
			{event: `{"type":"init","type":7}`},
		},
		"escapes are read": {
			{
				event: `{"ty\u0070e":"me\u0073sage","role":"assistant","content":"\u00e9\ud83d\ude00\n\"","delta":true}`,
				parts: []aisdkapi.Part{start("b1"), delta("b1", "é😀\n\"")}, open: true,
				content: "é😀\n\"",
			},
			{
				event: `{"type":"message","role":"assistant","content":"lone \ud83d","delta":true}`,
				parts: []aisdkapi.Part{delta("b1", "lone \uFFFD")}, open: true,
				content: "é😀\n\"lone \uFFFD",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			walk(t, name, steps)
		})
	}
}

func TestBytesThatAreNotUTF8AreReplaced(t *testing.T) {
	t.Parallel()
	event := jsontext.Value(`{"type":"snapshot_request","requestId":"r` + "\xff" +
		`","instruction":"` + "\xe6\x97" + `x"}`)
	got := agent.MapNDJSONEvent(event, agent.NewMapperContext())
	want := agent.Result{
		Parts: []aisdkapi.Part{call("r\uFFFD", "getFormSnapshot",
			"{\"instruction\":\"\uFFFD\uFFFDx\"}"), finishCalls},
		SessionUpdate: agent.SessionUpdate{PendingRequestID: "r\uFFFD"},
		RelayRequest:  jsontext.Value("{\"type\":\"snapshot_request\",\"requestId\":\"r\uFFFD\",\"instruction\":\"\uFFFD\uFFFDx\"}"),
		Report: report.Report{{Kind: report.Approximated,
			Detail: "bytes that are not UTF-8 are replaced by U+FFFD"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheZeroContextIsReadyForUse(t *testing.T) {
	t.Parallel()
	var c agent.MapperContext
	first := agent.MapNDJSONEvent(jsontext.Value(hello), &c).Parts
	second := agent.MapNDJSONEvent(jsontext.Value(thanks), &c).Parts
	id := first[0].(aisdkapi.TextStart).ID
	uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if !uuid.MatchString(id) {
		t.Errorf("the id %q is not a random UUID", id)
	}
	want := []aisdkapi.Part{aisdkapi.TextStart{ID: id}, aisdkapi.TextDelta{ID: id, Delta: "Hello "}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	if other := second[1].(aisdkapi.TextStart).ID; other == id || !uuid.MatchString(other) {
		t.Errorf("the next block's id is %q, after %q", other, id)
	}
	if diff := cmp.Diff([]aisdkapi.Part{finishZero}, agent.FinishStream(&c)); diff != "" {
		t.Error(diff)
	}
}

func TestAnEmptyTextIDIsReplaced(t *testing.T) {
	t.Parallel()
	c := agent.NewMapperContext(agent.WithTextIDs(func() string { return "" }))
	if id := agent.MapNDJSONEvent(jsontext.Value(hello),
		c).Parts[0].(aisdkapi.TextStart).ID; len(id) != 36 {
		t.Errorf("the id is %q", id)
	}
}

func TestTheUsageOfFinishesCanBeSet(t *testing.T) {
	t.Parallel()
	for name, usage := range map[string]aisdkapi.Usage{
		"unknown": {},
		"known":   {OutputTokens: aisdkapi.OutputTokens{Total: new(5)}},
	} {
		c := agent.NewMapperContext(agent.WithFinishUsage(usage))
		relay := agent.MapNDJSONEvent(jsontext.Value(`{"type":"execute_request","requestId":"r"}`),
			c).Parts
		want := aisdkapi.Finish{Usage: usage,
			FinishReason: aisdkapi.FinishReason{Unified: aisdkapi.UnifiedFinishReasonToolCalls}}
		if diff := cmp.Diff(aisdkapi.Part(want), relay[len(relay)-1]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		want.FinishReason.Unified = aisdkapi.UnifiedFinishReasonStop
		if diff := cmp.Diff([]aisdkapi.Part{want}, agent.FinishStream(c)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNothingInAResultSharesTheEvent(t *testing.T) {
	t.Parallel()
	event := jsontext.Value(` {"type":"snapshot_request","requestId":"r1","instruction":"a","document":{"b":1}} `)
	want := strings.TrimSpace(string(event))
	got := agent.MapNDJSONEvent(event, agent.NewMapperContext())
	clear(event)
	if string(got.RelayRequest) != want || got.SessionUpdate.PendingRequestID != "r1" {
		t.Errorf("got %s, %+v", got.RelayRequest, got.SessionUpdate)
	}
	if diff := cmp.Diff(call("r1", "getFormSnapshot", `{"instruction":"a","document":{"b":1}}`),
		got.Parts[0]); diff != "" {
		t.Error(diff)
	}
}

func TestASessionUpdateIsPartial(t *testing.T) {
	t.Parallel()
	var session agent.SessionUpdate
	for _, update := range []agent.SessionUpdate{
		{GeminiSessionID: "g1", RelayToken: "old"},
		{SandboxID: "sb", PendingRequestID: "p1"},
		{RelaySessionID: "rs", RelayToken: "tk", RelayURL: "u"},
		{},
		{GeminiSessionID: "g2", PendingRequestID: "p2"},
	} {
		session.Merge(update)
	}
	got, err := json.Marshal(session)
	want := `{"geminiSessionId":"g2","sandboxId":"sb","relaySessionId":"rs","relayToken":"tk","relayUrl":"u","pendingRequestId":"p2"}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	got, err = json.Marshal(agent.SessionUpdate{SandboxID: "sb"})
	if want := `{"sandboxId":"sb"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
