package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wireChunk has the members of a chunk that the rules check. Pointers and raw values distinguish
// absent from empty.
type wireChunk struct {
	Object  *string         `json:"object"`
	ID      *string         `json:"id"`
	Created *int64          `json:"created"`
	Model   *string         `json:"model"`
	Choices *[]wireChoice   `json:"choices"`
	Usage   *wireUsage      `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type wireChoice struct {
	Index  *int            `json:"index"`
	Delta  *wireDelta      `json:"delta"`
	Finish json.RawMessage `json:"finish_reason"`
}

type wireDelta struct {
	Role  *string    `json:"role"`
	Calls []wireCall `json:"tool_calls"`
}

type wireCall struct {
	Index    *int    `json:"index"`
	ID       *string `json:"id"`
	Type     *string `json:"type"`
	Function struct {
		Name      *string `json:"name"`
		Arguments *string `json:"arguments"`
	} `json:"function"`
}

type wireUsage struct {
	Prompt     *int64 `json:"prompt_tokens"`
	Completion *int64 `json:"completion_tokens"`
	Total      *int64 `json:"total_tokens"`
}

// wireChecker reads the events of one stream in their order and notes which rules they break.
type wireChecker struct {
	findings []finding
	event    int // the ordinal of the event at hand
	chunks   int
	envelope string
	choices  map[int]*choiceState
	callIDs  map[string]bool
	usage    int  // chunks with usage
	done     bool // [DONE] was there
	failed   bool // an error object was there
}

// choiceState is the state of one choice so far.
type choiceState struct {
	begun  bool
	called bool
	finish string            // "" until it came
	calls  []strings.Builder // their arguments
}

// checkWire returns the rules that the bytes of a stream break, and whether it reports an error.
func checkWire(body []byte) ([]finding, bool) {
	c := &wireChecker{choices: map[int]*choiceState{}, callIDs: map[string]bool{}}
	for _, data := range c.split(body) {
		c.event++
		c.next(data)
	}
	c.end()
	return c.findings, c.failed
}

func (c *wireChecker) breaks(r rule, format string, args ...any) {
	c.findings = append(c.findings, finding{r, c.event, fmt.Sprintf(format, args...)})
}

// split cuts the body into the data of its events.
func (c *wireChecker) split(body []byte) [][]byte {
	if !bytes.HasSuffix(body, []byte("\n\n")) {
		c.breaks(ruleFraming, "no blank line at the end")
	}
	text := bytes.TrimRight(body, "\n")
	var events [][]byte
	for i, event := range bytes.Split(text, []byte("\n\n")) {
		data, ok := bytes.CutPrefix(event, []byte("data: "))
		if !ok || bytes.ContainsAny(data, "\r\n") {
			c.event = i + 1
			c.breaks(ruleFraming, "not one line of data")
			continue
		}
		events = append(events, data)
	}
	c.event = 0
	return events
}

func (c *wireChecker) next(data []byte) {
	if c.failed {
		c.breaks(ruleError, "something follows the error")
	}
	if c.done {
		c.breaks(ruleDone, "something follows [DONE]")
	}
	if string(data) == "[DONE]" {
		c.done = true
		return
	}
	var chunk wireChunk
	if err := json.Unmarshal(data, &chunk); err != nil {
		c.breaks(ruleFraming, "the data is not a chunk: %v", err)
		return
	}
	if chunk.Error != nil {
		c.fail(chunk.Error)
		return
	}
	c.chunk(&chunk)
}

func (c *wireChecker) fail(value json.RawMessage) {
	c.failed = true
	var fault struct{ Message string }
	if err := json.Unmarshal(value, &fault); err != nil || fault.Message == "" {
		c.breaks(ruleError, "no message in %s", value)
	}
}

func (c *wireChecker) chunk(chunk *wireChunk) {
	c.chunks++
	c.checkEnvelope(chunk)
	if c.usage > 0 {
		c.breaks(ruleUsage, "a chunk follows the one with the usage")
	}
	if chunk.Choices == nil {
		c.breaks(ruleDelta, "no list of choices")
		return
	}
	if chunk.Usage != nil {
		c.checkUsage(chunk)
	}
	for _, choice := range *chunk.Choices {
		if choice.Index == nil || choice.Delta == nil || choice.Finish == nil {
			c.breaks(ruleDelta, "a choice needs index, delta and finish_reason")
			choice = choice.repaired()
		}
		c.choice(&choice)
	}
}

// repaired returns the choice with what it lacks, so that one fault is found once.
func (w wireChoice) repaired() wireChoice {
	if w.Index == nil {
		w.Index = new(0)
	}
	if w.Delta == nil {
		w.Delta = &wireDelta{}
	}
	if w.Finish == nil {
		w.Finish = json.RawMessage("null")
	}
	return w
}

func (c *wireChecker) checkEnvelope(chunk *wireChunk) {
	if chunk.Object == nil || chunk.ID == nil || chunk.Created == nil || chunk.Model == nil {
		c.breaks(ruleEnvelope, "a chunk needs object, id, created and model")
		return
	}
	if *chunk.Object != "chat.completion.chunk" {
		c.breaks(ruleEnvelope, "the object is %q", *chunk.Object)
	}
	envelope := fmt.Sprintf("id %q, created %d, model %q", *chunk.ID, *chunk.Created, *chunk.Model)
	if c.chunks > 1 && envelope != c.envelope {
		c.breaks(ruleEnvelope, "%s after %s", envelope, c.envelope)
	}
	c.envelope = envelope
}

func (c *wireChecker) checkUsage(chunk *wireChunk) {
	c.usage++
	if len(*chunk.Choices) > 0 {
		c.breaks(ruleUsage, "next to choices")
	}
	u := chunk.Usage
	if u.Prompt == nil || u.Completion == nil || u.Total == nil ||
		*u.Prompt+*u.Completion != *u.Total {
		c.breaks(ruleUsage, "prompt and completion do not add up to the total")
	}
}

func (c *wireChecker) choice(choice *wireChoice) {
	state := c.choices[*choice.Index]
	if state == nil {
		state = &choiceState{}
		c.choices[*choice.Index] = state
	}
	if state.finish != "" {
		c.breaks(ruleFinish, "choice %d continues after its finish", *choice.Index)
	}
	if hasRole := choice.Delta.Role != nil; hasRole == state.begun {
		c.breaks(ruleRole, "choice %d, role in this delta: %v", *choice.Index, hasRole)
	}
	state.begun = true
	for _, call := range choice.Delta.Calls {
		c.call(state, &call)
	}
	c.finish(state, choice)
}

func (c *wireChecker) call(state *choiceState, call *wireCall) {
	state.called = true
	if call.Index == nil {
		c.breaks(ruleCallIndex, "a call without one")
		return
	}
	last := len(state.calls) - 1
	isFirst := *call.Index == last+1
	if !isFirst && *call.Index != last {
		c.breaks(ruleCallIndex, "%d after %d", *call.Index, last)
		return
	}
	if isFirst {
		state.calls = append(state.calls, strings.Builder{})
	}
	c.checkHead(call, isFirst)
	if call.Function.Arguments != nil {
		state.calls[*call.Index].WriteString(*call.Function.Arguments)
	}
}

func (c *wireChecker) checkHead(call *wireCall, isFirst bool) {
	hasAny := call.ID != nil || call.Type != nil || call.Function.Name != nil
	hasAll := call.ID != nil && call.Type != nil && call.Function.Name != nil
	switch {
	case !isFirst && hasAny:
		c.breaks(ruleCallHead, "call %d has an id, a type or a name again", *call.Index)
	case !isFirst:
	case !hasAll || *call.ID == "" || *call.Type != "function" || *call.Function.Name == "":
		c.breaks(ruleCallHead, "call %d needs an id, the type function and a name", *call.Index)
	case c.callIDs[*call.ID]:
		c.breaks(ruleCallHead, "two calls have the id %q", *call.ID)
	default:
		c.callIDs[*call.ID] = true
	}
}

func (c *wireChecker) finish(state *choiceState, choice *wireChoice) {
	if string(choice.Finish) == "null" {
		return
	}
	if err := json.Unmarshal(choice.Finish, &state.finish); err != nil {
		state.finish = string(choice.Finish)
	}
	allowed := []string{"stop", "length", "tool_calls", "content_filter"}
	if !slices.Contains(allowed, state.finish) {
		c.breaks(ruleReason, "%q is not a value of chat_completions", state.finish)
	}
	if state.finish == "stop" && state.called || state.finish == "tool_calls" && !state.called {
		c.breaks(ruleReason, "%q, calls before it: %v", state.finish, state.called)
	}
}

// end checks the rules that need the end of a stream. A stream that reports an error may end
// anywhere.
func (c *wireChecker) end() {
	if c.failed {
		return
	}
	if !c.done {
		c.breaks(ruleDone, "it never came")
	}
	if len(c.choices) == 0 {
		c.breaks(ruleDelta, "no choice in the whole stream")
	}
	for index, state := range c.choices {
		if state.finish == "" {
			c.breaks(ruleFinish, "choice %d has none", index)
		}
		for i := range state.calls {
			c.checkArguments(i, state.calls[i].String())
		}
	}
}

func (c *wireChecker) checkArguments(call int, arguments string) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &object); err != nil || object == nil {
		c.breaks(ruleArguments, "those of call %d are %q", call, arguments)
	}
}
