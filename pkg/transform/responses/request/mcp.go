package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json"
)

// mcpCall adds an MCP call by OpenAI and its result. Gemini accepts neither from a client, so both
// become texts in the model's turn, as in package messages/request.
func (b *history) mcpCall(item *openaiapi.ResponseItem, at conversation.Location) {
	b.loseItemMembers(item, openaiapi.ResponseItemTypeMCPCall, at)
	b.Report.Add(report.Approximated, at.Pointer("/type"),
		"converted to a text, because Gemini accepts no MCP calls from clients")
	tool := "the tool " + strconv.Quote(item.Name)
	if item.ServerLabel != "" {
		tool += " of the MCP server " + strconv.Quote(item.ServerLabel)
	}
	call := "Call of " + tool
	if arguments, ok := item.Arguments.AsString(); ok && arguments != "" {
		call += " with the input:\n" + arguments
	} else if value, ok := item.Arguments.AsValue(); ok {
		call += " with the input:\n" + string(value)
	}
	b.addUnsigned(call, at)
	if problem := mcpProblem(item); problem != "" {
		b.addUnsigned("Error of "+tool+":\n"+problem, at)
	}
	if output, ok := mcpOutput(item); ok {
		b.addUnsigned("Result of "+tool+":\n"+output, at)
	}
	b.answer.pass()
}

// addUnsigned adds a text that Gemini did not send to the turn. No signature belongs to it.
func (b *history) addUnsigned(text string, at conversation.Location) {
	a := &b.answer
	a.begin(at.Index)
	a.turn.Parts = append(a.turn.Parts, geminiapi.Part{Text: &text})
	a.shift--
}

// mcpProblem returns why a call failed, or "" if it did not.
func mcpProblem(item *openaiapi.ResponseItem) string {
	if text, ok := item.Error.AsString(); ok {
		return text
	}
	failure, ok := item.Error.AsValue()
	if !ok {
		return ""
	}
	if message := jsonx.Deref(failure.Message); message != "" {
		return message
	}
	return asJSON(&failure)
}

// mcpOutput returns the result of a call as a text. ok is false if the call has no result.
func mcpOutput(item *openaiapi.ResponseItem) (text string, ok bool) {
	if text, ok := item.Output.AsString(); ok {
		return text, true
	}
	output, ok := item.Output.AsValue()
	if !ok || len(output.All()) == 0 {
		return "", false
	}
	return asJSON(&output), true
}

// asJSON returns a decoded JSON value as JSON.
func asJSON(value any) string {
	data, err := json.Marshal(value, jsonx.Canonical)
	if err != nil {
		return ""
	}
	return string(data)
}
