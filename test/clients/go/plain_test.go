package clients_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
)

// plain is the plainest reading of a stream: what its chunks say, put one after the other. It
// shares nothing with the converters but the decoding of chunks, so that a fault that all
// converters have in common is not taken for right.
type plain struct {
	// Failure says that the stream ends in an error, or is cut off.
	Failure string `json:"failure,omitempty"`
	// Blocked is the reason for which the prompt was refused.
	Blocked    string           `json:"blocked,omitempty"`
	Candidates []plainCandidate `json:"candidates"`
}

// plainCandidate is one candidate, at its index.
type plainCandidate struct {
	Text     string      `json:"text"`
	Thoughts string      `json:"thoughts"`
	Calls    []plainCall `json:"calls"`
	Media    []string    `json:"media"`
	// Finish has the reasons that differ from the one before. Real streams have one.
	Finish []string `json:"finish"`
}

// plainCall is a function call. Input is null when the arguments came in pieces: joining them is
// not plain.
type plainCall struct {
	// ID is "" where Gemini gave none, so that the converters make one.
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
	// Answered says that the result is in the stream: the server has run the call.
	Answered bool `json:"answered"`
}

// readPlain reads a stream.
func readPlain(body []byte) plain {
	var out plain
	for chunk, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
		if err != nil {
			out.Failure = err.Error()
			break
		}
		if feedback := chunk.PromptFeedback; feedback != nil && feedback.BlockReason != nil {
			out.Blocked = string(*feedback.BlockReason)
		}
		for i := range chunk.Candidates {
			out.add(&chunk.Candidates[i])
		}
	}
	return out
}

func (p *plain) add(from *geminiapi.Candidate) {
	index := 0
	if from.Index != nil {
		index = *from.Index
	}
	for len(p.Candidates) <= index {
		p.Candidates = append(p.Candidates,
			plainCandidate{Calls: []plainCall{}, Media: []string{}, Finish: []string{}})
	}
	to := &p.Candidates[index]
	if from.Content != nil {
		for i := range from.Content.Parts {
			to.add(&from.Content.Parts[i])
		}
	}
	if from.FinishReason != nil && !slices.Contains(to.Finish, string(*from.FinishReason)) {
		to.Finish = append(to.Finish, string(*from.FinishReason))
	}
}

func (c *plainCandidate) add(part *geminiapi.Part) {
	switch {
	case part.FunctionCall != nil:
		c.addCall(part.FunctionCall)
	case part.FunctionResponse != nil:
		c.answer(part.FunctionResponse)
	case part.InlineData != nil && part.InlineData.MIMEType != nil:
		c.Media = append(c.Media, *part.InlineData.MIMEType)
	case part.Text == nil:
	case part.Thought != nil && *part.Thought:
		c.Thoughts += *part.Text
	default:
		c.Text += *part.Text
	}
}

// addCall adds a call where it begins. What has no name continues or ends one.
func (c *plainCandidate) addCall(from *geminiapi.FunctionCall) {
	if from.Name == nil || *from.Name == "" {
		return
	}
	call := plainCall{Name: *from.Name, Input: plainInput(from)}
	if from.ID != nil {
		call.ID = *from.ID
	}
	c.Calls = append(c.Calls, call)
}

// answer marks the first call that a result can be of.
func (c *plainCandidate) answer(from *geminiapi.FunctionResponse) {
	for i := range c.Calls {
		call := &c.Calls[i]
		byID := from.ID != nil && *from.ID == call.ID
		byName := from.ID == nil && from.Name != nil && *from.Name == call.Name
		if !call.Answered && (byID || byName) {
			call.Answered = true
			return
		}
	}
}

func plainInput(call *geminiapi.FunctionCall) json.RawMessage {
	switch {
	case call.WillContinue != nil && *call.WillContinue, len(call.PartialArgs) > 0:
		return json.RawMessage("null")
	case len(call.Args) == 0:
		return json.RawMessage("{}")
	default:
		return json.RawMessage(call.Args)
	}
}

// openaiReasons has what the usual finish reasons become. The others are for the converter's own
// tests.
var openaiReasons = map[string]string{
	"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter",
	"RECITATION": "content_filter",
}

// check compares a whole completion with the stream that it was made of.
func (p plain) check(t *testing.T, completion []byte) {
	t.Helper()
	var got openai.ChatCompletion
	if err := json.Unmarshal(completion, &got); err != nil {
		t.Fatal(err)
	}
	if p.Blocked != "" && len(p.Candidates) == 0 {
		if len(got.Choices) != 1 || got.Choices[0].Message.Refusal == "" ||
			got.Choices[0].FinishReason != "content_filter" {
			t.Errorf("a prompt that was refused became %s", completion)
		}
		return
	}
	if len(got.Choices) != len(p.Candidates) {
		t.Fatalf("%d candidates became %d choices", len(p.Candidates), len(got.Choices))
	}
	for _, choice := range got.Choices {
		p.Candidates[choice.Index].check(t, &choice)
	}
}

func (c plainCandidate) check(t *testing.T, choice *openai.ChatCompletionChoice) {
	t.Helper()
	if choice.Message.Content != c.Text {
		t.Errorf("choice %d: %s", choice.Index, cmp.Diff(c.Text, choice.Message.Content))
	}
	if len(choice.Message.ToolCalls) != len(c.Calls) {
		t.Fatalf("choice %d has %d calls, the candidate %d", choice.Index,
			len(choice.Message.ToolCalls), len(c.Calls))
	}
	for i, call := range choice.Message.ToolCalls {
		want := c.Calls[i]
		if call.Function.Name != want.Name {
			t.Errorf("call %d is of %q, want %q", i, call.Function.Name, want.Name)
		}
		if want.ID != "" && call.ID != want.ID {
			t.Errorf("call %d has the id %q, want %q", i, call.ID, want.ID)
		}
		if string(want.Input) == "null" {
			continue
		}
		if diff := cmp.Diff(parse(t, want.Input),
			parse(t, []byte(call.Function.Arguments))); diff != "" {
			t.Errorf("call %d: %s", i, diff)
		}
	}
	c.checkFinish(t, choice.FinishReason)
}

func (c plainCandidate) checkFinish(t *testing.T, got string) {
	t.Helper()
	if len(c.Finish) != 1 {
		return
	}
	want, known := openaiReasons[c.Finish[0]]
	if want == "stop" && len(c.Calls) > 0 {
		want = "tool_calls"
	}
	if known && got != want {
		t.Errorf("%s became %q, want %q", c.Finish[0], got, want)
	}
}
