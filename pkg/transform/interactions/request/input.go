package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const detailEmpty = "omitted, because it is empty"

// setInput converts the instruction, the history and the input into the instruction and the
// contents.
func (c *converter) setInput() error {
	list := c.steps()
	b := &c.history
	*b = history{Conversation: conversation.New(&c.Request, stepsRoot, len(list)), steps: list}
	b.IDMember, b.InstructionsAt = "/id", "/system_instruction"
	b.parts = steps.Parts{Report: &c.Report, Annotate: b.loseAnnotations}
	err := c.converse()
	b.placeAll(c.Report)
	return b.placeError(err)
}

// steps returns the steps of the history, if the request continues it, and of the input.
func (c *converter) steps() []interactions.InputStep {
	list := interactions.Steps(c.in.Input)
	if !c.hasHistory || jsonx.Deref(c.in.PreviousInteractionID) == "" {
		return list
	}
	previous := c.previousSteps()
	all := make([]interactions.InputStep, 0, len(previous)+len(list))
	for i := range previous {
		all = append(all, interactions.InputStep{Step: previous[i], Pointer: previousAt})
	}
	return append(all, list...)
}

// previousSteps returns the steps of the history. A request that continues an answer by its token
// has no input. Gemini gets the conversation without the first part of that answer, as in its own
// API.
func (c *converter) previousSteps() []interactionsapi.Step {
	previous := c.options.history
	if c.in.ContinuationToken == nil || !c.in.Input.IsZero() {
		return previous
	}
	end := len(previous)
	for end > 0 && !isUsers(previous[end-1].Type) {
		end--
	}
	if end < len(previous) {
		c.Report.Add(report.Approximated, previousAt,
			"sent without the first part of the answer, which the token stands for")
	}
	return previous[:end]
}

// converse converts the steps.
func (c *converter) converse() error {
	b := &c.history
	if text := jsonx.Deref(c.in.SystemInstruction); text != "" {
		b.AddInstructions([]geminiapi.Part{{Text: c.in.SystemInstruction}})
	} else if c.in.SystemInstruction != nil {
		c.Report.Add(report.Approximated, "/system_instruction", detailEmpty)
	}
	if len(b.steps) == 0 && !b.IsCached() {
		return refuse("/input", "must be set, with a text or steps for the model to answer")
	}
	for i := range b.steps {
		if err := b.step(&b.steps[i], i); err != nil {
			return err
		}
	}
	return b.end(c.trailing)
}

// history collects the contents of the steps.
type history struct {
	conversation.Conversation
	steps []interactions.InputStep
	parts steps.Parts
	turn  conversation.Turn // of the model, being collected
}

// end completes the conversation and puts it into the request.
func (b *history) end(policy TrailingTurnPolicy) error {
	if err := b.endTurn(); err != nil {
		return err
	}
	isAnswer := func(index int) bool { return !isUsers(b.steps[index].Type) }
	if err := b.End(conversation.TrailingTurnPolicy(policy), isAnswer); err != nil {
		return err
	}
	b.Sign("/signature")
	b.Finish()
	return nil
}

// isUsers reports whether steps of a type belong to the user.
func isUsers(kind interactionsapi.StepType) bool {
	return kind == interactionsapi.StepTypeUserInput ||
		kind == interactionsapi.StepTypeFunctionResult
}

// step converts the step at a position.
func (b *history) step(s *interactions.InputStep, index int) error {
	switch s.Type {
	case interactionsapi.StepTypeUserInput:
		return b.ask(s, b.At(index))
	case interactionsapi.StepTypeFunctionResult:
		return b.answerCall(s, b.At(index))
	case "":
		return refuse(s.Pointer+"/type", "must be set, with the type of the step")
	}
	dropDefaults(&s.Step)
	if b.turn.Role == "" {
		b.turn = conversation.Turn{Role: conversation.Model, Index: index}
	}
	return b.answer(s, b.At(index))
}

// dropDefaults removes members that say what is so without them. s is a copy of the step.
func dropDefaults(s *interactionsapi.Step) {
	if s.Signature != nil && *s.Signature == "" { // the API writes it for no signature
		s.Signature = nil
	}
	if s.IsError != nil && !*s.IsError {
		s.IsError = nil
	}
	if isSearch(s.Type) && jsonx.Deref(s.SearchType) == interactionsapi.SearchTypeWebSearch {
		s.SearchType = nil
	}
}

// isSearch reports whether a step is a search, which is one of the web unless it says more.
func isSearch(kind interactionsapi.StepType) bool {
	return kind == interactionsapi.StepTypeGoogleSearchCall ||
		kind == interactionsapi.StepTypeGoogleSearchResult
}

// endTurn adds the turn of the model that was collected.
func (b *history) endTurn() error {
	if b.turn.Role == "" {
		return nil
	}
	b.turn.Parts = b.parts.End(b.turn.Parts)
	turn := b.turn
	b.turn = conversation.Turn{}
	if len(turn.Parts) == 0 {
		return nil
	}
	return b.Add(&turn)
}

// ask adds the content of the user. Results of functions may be among it.
func (b *history) ask(s *interactions.InputStep, at conversation.Location) error {
	if err := b.endTurn(); err != nil {
		return err
	}
	b.loseRole(s, "user")
	content := interactions.ContentOf(&s.Step)
	if isResult := func(c interactionsapi.Content) bool {
		return c.Type == interactionsapi.ContentTypeFunctionResult
	}; slices.ContainsFunc(content, isResult) {
		return b.askWithResults(s, content, at)
	}
	return b.askContent(s, at, s.Block)
}

// askContent adds the content of the user that has no results of functions.
func (b *history) askContent(s *interactions.InputStep, at conversation.Location,
	block func(int) string) error {
	content := interactions.ContentOf(&s.Step)
	if len(content) == 0 && s.Content.IsZero() {
		return conversation.MissingContent(at)
	}
	var parts []geminiapi.Part
	if len(content) > 0 {
		var err error
		if parts, err = b.content(nil, s, block); err != nil {
			return err
		}
	}
	if len(parts) == 0 {
		isEmpty := isEmptyText(content)
		var err error
		if parts, err = b.Silence(at, isEmpty); err != nil {
			return err
		}
		if len(parts) == 0 {
			b.LeaveOut(at, isEmpty)
			return nil
		}
	}
	return b.Add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at.Index})
}

// isEmptyText reports whether content is only empty texts.
func isEmptyText(content []interactionsapi.Content) bool {
	for i := range content {
		if content[i].Type != interactionsapi.ContentTypeText ||
			content[i].Text == nil || *content[i].Text != "" {
			return false
		}
	}
	return len(content) > 0
}

// content appends the content of a step of the user or the model to parts, and reports members of
// the step that are not used.
func (b *history) content(parts []geminiapi.Part, s *interactions.InputStep,
	block func(int) string) ([]geminiapi.Part, error) {
	before := len(parts)
	if content, isChanged := withTypes(interactions.ContentOf(&s.Step)); isChanged {
		s.Content = wiretype.ValueOf(content)
	}
	parts = b.parts.Add(parts, &s.Step, s.Pointer, block)
	return b.fit(parts, before, block)
}

// loseAnnotations reports the annotations of a text.
func (b *history) loseAnnotations(_ int, _ string, _ []interactionsapi.Annotation, pointer string) {
	b.Report.Add(report.Approximated, pointer,
		"omitted, because they describe an answer, and requests do not repeat them")
}

// loseRole reports the role of a step that also has a type, if they differ.
func (b *history) loseRole(s *interactions.InputStep, role string) {
	if s.Role != nil && *s.Role != role {
		b.Report.Add(report.Approximated, s.Pointer+"/role", "the step belongs to the "+role)
	}
}
