package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/go-json-experiment/json/jsontext"
)

// answer converts a step of the model.
func (b *history) answer(s *interactions.InputStep, at conversation.Location) error {
	switch s.Type {
	case interactionsapi.StepTypeModelOutput:
		return b.say(s)
	case interactionsapi.StepTypeThought:
		return b.think(s)
	case interactionsapi.StepTypeFunctionCall:
		return b.call(s, at)
	case interactionsapi.StepTypeMCPServerToolCall, interactionsapi.StepTypeMCPServerToolResult:
		b.tellMCP(s)
		return nil
	}
	return b.tool(s)
}

// say adds the output of the model.
func (b *history) say(s *interactions.InputStep) error {
	b.loseRole(s, "model")
	if s.Error != nil { // s is a copy of the step
		s.Error = nil
		b.Report.Add(report.Lost, s.Pointer+"/error",
			"requests do not repeat the error of an answer")
	}
	if len(interactions.ContentOf(&s.Step)) == 0 {
		b.Report.Add(report.Approximated, s.Pointer, detailEmpty)
		return nil
	}
	var err error
	b.turn.Parts, err = b.content(b.turn.Parts, s, s.Block)
	return err
}

// think adds the summary of a thought. Its signature goes to a later part.
func (b *history) think(s *interactions.InputStep) error {
	if len(s.Summary) == 0 && jsonx.Deref(s.Signature) == "" {
		b.Report.Add(report.Approximated, s.Pointer, detailEmpty)
		return nil
	}
	b.turn.Parts = b.parts.End(b.turn.Parts) // the signature of the thought before
	before := len(b.turn.Parts)
	s.Summary, _ = withTypes(s.Summary)
	b.turn.Parts = b.parts.Add(b.turn.Parts, &s.Step, s.Pointer, s.Block)
	var err error
	b.turn.Parts, err = b.fit(b.turn.Parts, before,
		func(i int) string { return s.Pointer + "/summary/" + strconv.Itoa(i) })
	return err
}

// call adds a call of a function, which needs a result. It omits ids that package interactions
// made, because Gemini sent none.
func (b *history) call(s *interactions.InputStep, at conversation.Location) error {
	if jsonx.Deref(s.Name) == "" {
		return refuse(s.Pointer+"/name", conversation.NamelessCall)
	}
	step := &s.Step
	switch kind := s.Arguments.Kind(); kind {
	case jsontext.KindInvalid, jsontext.KindBeginObject:
	default:
		step = new(s.Step)
		step.Arguments = nil
		if kind != jsontext.KindNull {
			step.Arguments = jsonx.Object("arguments", s.Arguments)
			b.Report.Add(report.Approximated, s.Pointer+"/arguments",
				"put into a JSON object, because Gemini requires one")
		}
	}
	b.turn.Parts = b.parts.Add(b.turn.Parts, step, s.Pointer, s.Block)
	called := b.turn.Parts[len(b.turn.Parts)-1].FunctionCall
	if id := jsonx.Deref(called.ID); id == "" || callid.IsMade(id) {
		called.ID = nil
	}
	if step.Arguments != nil && step == &s.Step {
		text := string(step.Arguments)
		if whole, isReplaced := object.ReplaceLone(text); isReplaced {
			called.Args = jsontext.Value(whole)
			b.ReplaceLone(text, at, "/arguments") // reports it
		}
	}
	b.turn.Calls = append(b.turn.Calls, conversation.Call{ID: jsonx.Deref(s.ID),
		WireID: called.ID, Name: *s.Name, At: at})
	return nil
}

// tool adds a call of a tool that Google has run, or its result.
func (b *history) tool(s *interactions.InputStep) error {
	isRetrieval := s.Type == interactionsapi.StepTypeRetrievalCall ||
		s.Type == interactionsapi.StepTypeRetrievalResult
	isRefused := b.VertexAI || len(b.Traits.Thinking.Levels) == 0
	switch {
	case steps.IsDerived(&s.Step):
		b.Report.Add(report.Approximated, s.Pointer, detailDerived)
	case isRetrieval, isRefused && steps.HasCounterpart(&s.Step) && !isCode(s.Type):
		b.turn.Parts = b.parts.End(b.turn.Parts)
		b.Report.Add(report.Approximated, s.Pointer, detailTold)
	case !steps.HasCounterpart(&s.Step):
		b.turn.Parts = b.parts.End(b.turn.Parts)
		b.Report.Add(report.Lost, s.Pointer, "generateContent accepts no steps of this type")
	default:
		b.turn.Parts = b.parts.Add(b.turn.Parts, &s.Step, s.Pointer, s.Block)
	}
	return nil
}

// detailTold is the detail for calls of Google's tools, and their results, that the service or the
// model does not accept. Only the Gemini API accepts them, for models since Gemini 3.
const detailTold = "omitted, because the text of the answer has the results"

const detailDerived = "omitted, because it was made from metadata, and the model called no such tool"

// isCode reports whether a step is code that Google has run, or its output.
func isCode(kind interactionsapi.StepType) bool {
	return kind == interactionsapi.StepTypeCodeExecutionCall ||
		kind == interactionsapi.StepTypeCodeExecutionResult
}

// tellMCP adds a call of an MCP server, or its result. Gemini accepts neither from a client, so
// both become texts in the model's turn, as in package messages/request.
func (b *history) tellMCP(s *interactions.InputStep) {
	b.loseMCPMembers(s)
	tool := "the tool " + strconv.Quote(jsonx.Deref(s.Name))
	if server := jsonx.Deref(s.ServerName); server != "" {
		tool += " of the MCP server " + strconv.Quote(server)
	}
	var text string
	switch {
	case s.Type == interactionsapi.StepTypeMCPServerToolCall:
		text = "Call of " + tool
		if arguments := jsonx.NonNull(s.Arguments); arguments != nil {
			text += " with the input:\n" + string(arguments)
		}
	case jsonx.Deref(s.IsError):
		text = "Error of " + tool + ":\n" + textOf(s.Result)
	default:
		text = "Result of " + tool + ":\n" + textOf(s.Result)
	}
	b.turn.Parts = append(b.parts.End(b.turn.Parts), geminiapi.Part{Text: &text})
}

// loseMCPMembers reports the members of a step of an MCP server that its text does not have.
func (b *history) loseMCPMembers(s *interactions.InputStep) {
	b.Report.Add(report.Approximated, s.Pointer+"/type",
		"converted to a text, because Gemini accepts no MCP calls from clients")
	isCall := s.Type == interactionsapi.StepTypeMCPServerToolCall
	visitMembersOfStep(&s.Step, func(name string) {
		switch name {
		case "type", "name", "server_name":
		case "id", "call_id":
			b.Report.Add(report.Approximated, s.Pointer+"/"+name,
				"not needed, because the texts of calls and results are in order")
		case "arguments":
			if !isCall {
				b.Report.Add(report.Lost, s.Pointer+"/"+name, detailNotHere)
			}
		case "result", "is_error":
			if isCall {
				b.Report.Add(report.Lost, s.Pointer+"/"+name, detailNotHere)
			}
		default:
			b.Report.Add(report.Lost, s.Pointer+"/"+name, detailNotHere)
		}
	})
	b.LoseUnknown(s.Pointer, s.Unknown)
}

const detailNotHere = "Gemini has no member for it here"

// textOf returns a JSON value as a text: the text of a string, else the JSON.
func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return strings.TrimSpace(string(value))
	}
	text, _ := jsontext.AppendUnquote(nil, value) // it replaces half a surrogate pair
	return string(text)
}
