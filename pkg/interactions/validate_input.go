package interactions

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// input checks the input: that there is one, and its steps.
func (c *requestChecker) input(r *interactionsapi.CreateInteractionRequest) {
	steps := Steps(r.Input)
	if isEmptyInput(r, steps) {
		c.want(r.ContinuationToken != nil, &c.root, "input", "required",
			"must be set and not empty, unless there is a continuation_token")
		return
	}
	calls := callsOf(steps)
	for i := range steps {
		step := &steps[i]
		c.step(step)
		if jsonx.Deref(r.PreviousInteractionID) == "" {
			c.answers(step, calls)
		}
		if is25(r) {
			c.plainResult(step)
		}
	}
}

// isEmptyInput reports whether an input has nothing to answer.
func isEmptyInput(r *interactionsapi.CreateInteractionRequest, steps []InputStep) bool {
	text, isText := r.Input.AsString()
	return len(steps) == 0 || isText && text == ""
}

// callsOf returns the ids of the function calls of an input.
func callsOf(steps []InputStep) map[string]bool {
	ids := map[string]bool{}
	for i := range steps {
		if steps[i].Type == interactionsapi.StepTypeFunctionCall {
			ids[jsonx.Deref(steps[i].ID)] = true
		}
	}
	return ids
}

// step checks that a step has what its type needs, and its content.
func (c *requestChecker) step(s *InputStep) {
	require := func(ok bool, name string) {
		if !ok {
			c.report(s.Pointer+"/"+name, "required", "must be set")
		}
	}
	if s.Role != nil {
		c.report(s.Pointer+"/role", "removed",
			"must be absent; since May 2026 a turn is a step of type user_input or model_output")
	}
	require(s.Type != "", "type")
	switch s.Type {
	case interactionsapi.StepTypeFunctionCall:
		require(jsonx.Deref(s.ID) != "", "id")
		require(jsonx.Deref(s.Name) != "", "name")
		c.object(s.Pointer+"/arguments", s.Arguments)
	case interactionsapi.StepTypeFunctionResult:
		require(jsonx.Deref(s.CallID) != "", "call_id")
		require(s.Result != nil, "result")
	}
	content := ContentOf(&s.Step)
	for i := range content {
		c.block(s, s.Block(i), &content[i])
	}
	for i, block := range s.Summary {
		if block.Type == "" {
			require(false, "summary/"+strconv.Itoa(i)+"/type")
		}
	}
}

// object checks that arguments are an object.
func (c *requestChecker) object(pointer string, value jsontext.Value) {
	if value != nil && value.Kind() != jsontext.KindBeginObject {
		c.report(pointer, "type", "must be an object")
	}
}

// block checks a block of content of a step.
func (c *requestChecker) block(s *InputStep, pointer string, b *interactionsapi.Content) {
	switch b.Type {
	case "":
		c.report(pointer+"/type", "required", "must be set")
	case interactionsapi.ContentTypeText:
		if b.Text == nil {
			c.report(pointer+"/text", "required", "must be set")
		}
	case interactionsapi.ContentTypeImage, interactionsapi.ContentTypeAudio,
		interactionsapi.ContentTypeVideo, interactionsapi.ContentTypeDocument:
		c.media(s, pointer, b)
	case interactionsapi.ContentTypeFunctionResult:
		if jsonx.Deref(b.CallID) == "" {
			c.report(pointer+"/call_id", "required", "must be set")
		}
	case contentTypeThought:
		if s.Type == interactionsapi.StepTypeUserInput {
			c.report(pointer+"/type", "thought_in_user_input",
				"must not be thought in a step of the user; a thought is a step")
		}
	}
}

// contentTypeThought is the type of a block that the revision before May 2026 had.
const contentTypeThought interactionsapi.ContentType = "thought"

// media checks a block of media.
func (c *requestChecker) media(s *InputStep, pointer string, b *interactionsapi.Content) {
	if b.Data == nil && b.URI == nil {
		c.report(pointer, "source", "must have data or uri")
	}
	if resolution := jsonx.Deref(b.Resolution); string(resolution) !=
		strings.ToLower(string(resolution)) {
		c.report(pointer+"/resolution", "case", "must be in lower case")
	}
	isStep := s.form == blocksInStep && s.Type == interactionsapi.StepTypeUserInput &&
		s.Role == nil
	if !b.Processing.IsZero() && !isStep {
		c.report(pointer+"/processing", "processing_outside_user_input",
			"must be absent outside of a step of type user_input")
	}
}

// answers checks that results answer calls of the input, in any order.
func (c *requestChecker) answers(s *InputStep, calls map[string]bool) {
	const want = "must be the id of a function_call in the input, " +
		"because there is no previous_interaction_id"
	if id := jsonx.Deref(s.CallID); s.Type == interactionsapi.StepTypeFunctionResult &&
		id != "" && !calls[id] {
		c.report(s.Pointer+"/call_id", "call_id", want)
	}
	content := ContentOf(&s.Step)
	for i := range content {
		id := jsonx.Deref(content[i].CallID)
		if content[i].Type == interactionsapi.ContentTypeFunctionResult && id != "" && !calls[id] {
			c.report(s.Block(i)+"/call_id", "call_id", want)
		}
	}
}

// is25 reports whether a request is for a model of Gemini 2.5.
func is25(r *interactionsapi.CreateInteractionRequest) bool {
	return strings.HasPrefix(strings.TrimPrefix(jsonx.Deref(r.Model), "models/"), "gemini-2.5")
}

// plainResult checks that a result is not a list of content, which Gemini 2.5 refuses.
func (c *requestChecker) plainResult(s *InputStep) {
	if s.Type == interactionsapi.StepTypeFunctionResult &&
		s.Result.Kind() == jsontext.KindBeginArray {
		c.report(s.Pointer+"/result", "result_of_gemini_2_5",
			"must be a string or an object for Gemini 2.5, not a list of content")
	}
}
