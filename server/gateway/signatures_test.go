package gateway_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// message has the fields of a message that the simplest clients keep.
type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type toolCall struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	Function  calledFunction  `json:"function"`
	Extension json.RawMessage `json:"extra_content,omitempty"`
}

type calledFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// agent runs the tools that a model calls, until it answers. It keeps extensions of calls, or only
// ids.
type agent struct {
	handler         *gateway.Handler
	streams         bool
	keepsExtensions bool
	messages        []message
}

// run sends a prompt, and returns the number of calls in each step and the last text.
func (a *agent) run(t testing.TB, prompt string) (steps []int, text string) {
	t.Helper()
	a.messages = []message{{Role: "user", Content: &prompt}}
	for range 6 {
		calls, text := a.step(t)
		if len(calls) == 0 {
			return steps, text
		}
		steps = append(steps, len(calls))
		a.messages = append(a.messages, message{Role: "assistant", ToolCalls: calls})
		for _, call := range calls {
			result := "result of " + call.Function.Name
			a.messages = append(a.messages,
				message{Role: "tool", Content: &result, ToolCallID: call.ID})
		}
	}
	t.Fatal("the loop does not end")
	return nil, ""
}

const agentTools = `[
	{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}},
	{"type":"function","function":{"name":"get_time","parameters":{"type":"object","properties":{"zone":{"type":"string"}}}}},
	{"type":"function","function":{"name":"send_mail","parameters":{"type":"object","properties":{}}}}]`

func (a *agent) step(t testing.TB) ([]toolCall, string) {
	t.Helper()
	messages, err := json.Marshal(a.messages)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"model":"gemini-3.6-flash","messages":%s,"tools":%s}`, messages,
		agentTools)
	var calls []toolCall
	if !a.streams {
		m := completionOf(t, post(a.handler, chatPath, body)).Choices[0].Message
		for _, call := range m.ToolCalls {
			calls = append(calls,
				a.kept(t, call.ID, call.Function.Name, call.Function.Arguments, call.ExtraContent))
		}
		return calls, text(m.Content)
	}
	chunks := chunksOf(t, post(a.handler, chatPath, streamed(body)).Body.Bytes())
	for _, chunk := range chunks {
		for _, choice := range chunk.Choices {
			for _, call := range choice.Delta.ToolCalls {
				if call.ID != nil {
					calls = append(calls,
						a.kept(t, *call.ID, *call.Function.Name, "", call.ExtraContent))
				}
				calls[call.Index].Function.Arguments += text(call.Function.Arguments)
			}
		}
	}
	return calls, textOf(chunks)
}

func (a *agent) kept(t testing.TB, id, name, arguments string,
	extra *openaiapi.ExtraContent) toolCall {
	t.Helper()
	call := toolCall{ID: id, Type: "function", Function: calledFunction{name, arguments}}
	if a.keepsExtensions && extra != nil {
		data, err := json.Marshal(extra)
		if err != nil {
			t.Fatal(err)
		}
		call.Extension = data
	}
	return call
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

const agentPrompt = "get_weather and get_time, then send_mail"

// signaturesBack returns the signatures of the calls in the last request.
func signaturesBack(server *geminitest.Server) (out []string) {
	requests := server.Requests()
	for _, content := range requests[len(requests)-1].Content.Contents {
		for _, part := range content.Parts {
			if part.FunctionCall != nil {
				out = append(out, text(part.ThoughtSignature))
			}
		}
	}
	return out
}

const sentinel = "skip_thought_signature_validator"

// A client that keeps only ids loses signatures. Models that require their signatures then refuse
// the next step.
func TestLoopOverThreeTurnsHoldsForClientsThatKeepOnlyIDs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		mode            gateway.SignatureMode
		keepsExtensions bool
		wantSigned      bool
	}{
		{gateway.SignaturesInBoth, false, true},
		{gateway.SignaturesInBoth, true, true},
		{gateway.SignaturesInIDs, false, true},
		{gateway.SignaturesInIDs, true, true},
		{gateway.SignaturesInExtension, true, true},
		{gateway.SignaturesInExtension, false, false}, // the documented word
	} {
		for _, streams := range []bool{false, true} {
			name := fmt.Sprintf("%s, extensions kept %t, streamed %t", tc.mode, tc.keepsExtensions,
				streams)
			server := geminitest.NewServer(t)
			a := agent{handler: gatewayOf(t, server, gateway.WithSignatures(tc.mode)),
				streams: streams, keepsExtensions: tc.keepsExtensions}
			steps, answer := a.run(t, agentPrompt)
			if !slices.Equal(steps, []int{2, 1}) ||
				!strings.Contains(answer, "result of send_mail") {
				t.Errorf("%s: steps %v, answered %q", name, steps, answer)
			}
			back := signaturesBack(server)
			for i, signature := range back {
				isFirst := i != 1 // of its step
				if isFirst && (signature == "" || (signature == sentinel) == tc.wantSigned) {
					t.Errorf("%s: call %d came back with %q", name, i, signature)
				}
			}
		}
	}
}

// The provider with the strictest ids allows only this alphabet.
func TestIDsWithSignaturesAreOfLettersDigitsAndDashes(t *testing.T) {
	t.Parallel()
	acceptable := regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	for _, size := range []int{10, 500, 3000, 100_000} {
		signature := strings.Repeat("a+/=", size/4)
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Signed(signature,
				geminitest.CallWithID("id-7", "send_mail", `{}`))).Unchecked()))
		a := agent{handler: gatewayOf(t, server)}
		a.messages = []message{{Role: "user", Content: new("x")}}
		calls, _ := a.step(t)
		if !acceptable.MatchString(calls[0].ID) || len(calls[0].ID) > 4096 {
			t.Errorf("the id for a signature of %d is %.100s... of %d", size, calls[0].ID,
				len(calls[0].ID))
		}
	}
}

// longLoop is a script of three turns with signatures that are too long for an id.
func longLoop() ([]*geminitest.Fixture, []string) {
	long := []string{strings.Repeat("Zmlyc3Q=", 4000), strings.Repeat("c2Vjb25k", 4000)}
	return []*geminitest.Fixture{
		geminitest.On(geminitest.Turn(0)).Reply(geminitest.Signed(long[0],
			geminitest.Call("get_weather", `{}`)),
			geminitest.Signed("", geminitest.Call("get_time", `{}`))).Unchecked().Times(9),
		geminitest.On(geminitest.Turn(1)).Reply(geminitest.Signed(long[1],
			geminitest.CallWithID("mail", "send_mail", `{}`))).Unchecked().Times(9),
		geminitest.On(geminitest.Turn(2)).Reply(geminitest.Text("done")).Unchecked().Times(9),
	}, long
}

func TestSignatureThatIsTooLongForAnIDIsKeptInMemory(t *testing.T) {
	t.Parallel()
	for _, streams := range []bool{false, true} {
		script, long := longLoop()
		server := geminitest.NewServer(t, geminitest.WithScript(script...))
		handler := gatewayOf(t, server)
		a := agent{handler: handler, streams: streams}
		if steps, answer := a.run(t, agentPrompt); !slices.Equal(steps, []int{2, 1}) ||
			answer != "done" {
			t.Errorf("steps %v, answered %q", steps, answer)
		}
		if got := signaturesBack(server); !slices.Equal(got, []string{long[0], "", long[1]}) {
			t.Errorf("came back %.60q", got)
		}
		for _, request := range server.Requests() {
			if strings.Contains(string(request.Body), "__gw") {
				t.Error("Gemini gets an id with a name in it")
			}
		}
		if err := handler.Reload(gateway.WithUpstream(upstreamOf(server))); err != nil {
			t.Fatal(err)
		}
		a.messages = a.messages[:4] // the second turn again, as retries do
		a.step(t)
		if got := signaturesBack(server); got[0] != long[0] {
			t.Errorf("after a reload %.60q came back", got)
		}
	}
}

// A memory belongs to one replica. Another replica does not invent missing signatures, and the
// request continues.
func TestForgottenSignatureIsReplacedByTheDocumentedWord(t *testing.T) {
	t.Parallel()
	script, _ := longLoop()
	server := geminitest.NewServer(t, geminitest.WithScript(script...))
	a := agent{handler: gatewayOf(t, server)}
	a.run(t, agentPrompt)
	other := gatewayOf(t, server)
	messages, _ := json.Marshal(a.messages[:4])
	answer := post(other, chatPath,
		fmt.Sprintf(`{"model":"gemini-3.6-flash","messages":%s,"tools":%s}`, messages, agentTools),
		"X-Gemwire-Report", "true")
	completion := completionOf(t, answer)
	if got := signaturesBack(server); !slices.Equal(got, []string{sentinel, ""}) {
		t.Errorf("came back %.60q", got)
	}
	if !strings.Contains(string(completion.ExtraContent.Unknown), "no thought signature") {
		t.Errorf("the report is %s", completion.ExtraContent.Unknown)
	}
}
