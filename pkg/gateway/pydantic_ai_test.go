package gateway_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/go-json-experiment/json"
)

// pydanticAI sends what pydantic-ai sends to the Responses API, and keeps of a response what it keeps: of reasoning the id,
// the summary and what is encrypted, of calls their ids, names and arguments, of messages the text
// (pydantic_ai/models/openai.py, and 229 recorded requests). In a stream it goes by pieces: a call begins with its item and
// its arguments are the deltas, reasoning is known when its item is done.
type pydanticAI struct {
	handler http.Handler
	streams bool
	input   []pydanticItem
	calls   []string
	text    string
	tokens  int
}

// pydanticItem is an item of the input. A message of the user has no type.
type pydanticItem struct {
	Type      string            `json:"type,omitzero"`
	Role      string            `json:"role,omitzero"`
	Content   string            `json:"content,omitzero"`
	ID        string            `json:"id,omitzero"`
	Summary   []pydanticSummary `json:"summary,omitzero"`
	Encrypted string            `json:"encrypted_content,omitzero"`
	CallID    string            `json:"call_id,omitzero"`
	Name      string            `json:"name,omitzero"`
	Arguments string            `json:"arguments,omitzero"`
	Output    string            `json:"output,omitzero"`
}

type pydanticSummary struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// step asks once, and answers the calls that come.
func (p *pydanticAI) step(t *testing.T) (called int) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"model": "gemini-3.5-flash", "input": p.input, "stream": p.streams, "include": []string{"reasoning.encrypted_content"},
		"tool_choice": "auto", "parallel_tool_calls": true, "reasoning": map[string]any{"effort": "low", "summary": "auto"},
		"tools": []any{map[string]any{"type": "function", "name": "get_weather", "description": "Tells the weather.", "strict": false, "parameters": map[string]any{
			"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"}, "additionalProperties": false,
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	answer := post(p.handler, responsesPath, string(body))
	items := p.read(t, answer.Body.Bytes(), answer.Code)
	p.input = append(p.input, items...)
	for _, item := range items {
		if item.Type == "function_call" {
			p.calls = append(p.calls, item.Name+" "+item.Arguments)
			p.input = append(p.input, pydanticItem{Type: "function_call_output", CallID: item.CallID, Output: `{"degrees":21}`})
			called++
		}
	}
	return called
}

// read returns what it keeps of an answer.
func (p *pydanticAI) read(t *testing.T, body []byte, status int) (out []pydanticItem) {
	t.Helper()
	if !p.streams {
		var response openaiapi.Response
		if err := json.Unmarshal(body, &response); err != nil || status != http.StatusOK {
			t.Fatalf("HTTP %d: %s", status, body)
		}
		p.tokens = response.Usage.TotalTokens
		for i := range response.Output {
			out = append(out, p.keep(&response.Output[i]))
		}
		return out
	}
	for _, event := range responseEventsOf(t, body) {
		switch event.Type {
		case openaiapi.ResponseEventTypeOutputItemAdded:
			if event.Item.Type == openaiapi.ResponseItemTypeFunctionCall {
				out = append(out, p.keep(event.Item))
			}
		case openaiapi.ResponseEventTypeFunctionCallArgumentsDelta:
			delta, _ := event.Delta.AsString()
			out[len(out)-1].Arguments += delta
		case openaiapi.ResponseEventTypeOutputItemDone:
			if event.Item.Type != openaiapi.ResponseItemTypeFunctionCall {
				out = append(out, p.keep(event.Item))
			}
		case openaiapi.ResponseEventTypeCompleted:
			p.tokens = event.Response.Usage.TotalTokens
		}
	}
	return out
}

// keep returns what it keeps of an item.
func (p *pydanticAI) keep(item *openaiapi.ResponseItem) pydanticItem {
	switch item.Type {
	case openaiapi.ResponseItemTypeReasoning:
		out := pydanticItem{Type: "reasoning", ID: item.ID, Encrypted: optional.Value(item.EncryptedContent), Summary: []pydanticSummary{}}
		for _, part := range item.Summary {
			out.Summary = append(out.Summary, pydanticSummary{"summary_text", optional.Value(part.Text)})
		}
		return out
	case openaiapi.ResponseItemTypeFunctionCall:
		arguments, _ := item.Arguments.AsString()
		return pydanticItem{Type: "function_call", ID: item.ID, CallID: item.CallID, Name: item.Name, Arguments: arguments}
	}
	content, _ := item.Content.AsValue()
	p.text = ""
	for _, part := range content {
		p.text += optional.Value(part.Text)
	}
	return pydanticItem{Role: "assistant", Content: p.text}
}

// CL9: a round trip with tools as pydantic-ai makes it, which is a program in Python: what it keeps brings all signatures back.
// LangChain's own client is in test/clients.
func TestCL9_ALoopAsPydanticAIRunsIt(t *testing.T) {
	t.Parallel()
	const first, second = "Zmlyc3Q/Pj8+8J+Usv//AAE=", "c2Vjb25k+/+//w=="
	for name, streams := range map[string]bool{"whole": false, "streamed": true} {
		server := geminitest.NewServer(t, geminitest.WithScript(
			geminitest.On(geminitest.Turn(0)).Reply(geminitest.Thought("Two towns."),
				geminitest.Signed(first, geminitest.Call("get_weather", `{"city":"Porto"}`)), geminitest.Call("get_weather", `{"city":"Lima"}`)),
			geminitest.On(geminitest.Turn(1)).Reply(geminitest.Signed(second, geminitest.Call("get_weather", `{"city":"Oslo"}`))),
			geminitest.On(geminitest.Turn(2)).Reply(geminitest.Text("Porto ", "is warm.")),
		))
		p := pydanticAI{handler: gatewayOf(t, server), streams: streams, input: []pydanticItem{{Role: "user", Content: "Where is it warm?"}}}
		var steps []int
		for range 3 {
			steps = append(steps, p.step(t))
		}
		want := []string{`get_weather {"city":"Porto"}`, `get_weather {"city":"Lima"}`, `get_weather {"city":"Oslo"}`}
		if !slices.Equal(steps, []int{2, 1, 0}) || !slices.Equal(p.calls, want) || p.text != "Porto is warm." || p.tokens == 0 {
			t.Errorf("%s: steps %v, calls %q, answered %q for %d tokens", name, steps, p.calls, p.text, p.tokens)
		}
		if got := signaturesBack(server); !slices.Equal(got, []string{first, "", second}) {
			t.Errorf("%s: came back %q", name, got)
		}
		if body := string(server.Requests()[2].Body); strings.Contains(body, "gemwire1_") || strings.Contains(body, sentinel) {
			t.Errorf("%s: sent %s", name, body)
		}
	}
}
