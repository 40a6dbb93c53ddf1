package interactions

import (
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// TextContent returns a block of text.
func TextContent(text string) interactionsapi.Content {
	return interactionsapi.Content{Type: interactionsapi.ContentTypeText, Text: &text}
}

// UserText returns a step of type user_input with one text.
func UserText(text string) interactionsapi.Step {
	return userInput([]interactionsapi.Content{TextContent(text)})
}

// FunctionTool returns a tool of type function. parameters is a JSON Schema of an object, or nil
// for a function without arguments.
func FunctionTool(name, description string, parameters jsontext.Value) interactionsapi.Tool {
	return interactionsapi.Tool{Type: interactionsapi.ToolTypeFunction, Name: &name,
		Description: &description, Parameters: parameters}
}

// FunctionResult returns the step with the result of a function call. result is JSON: a string or
// an object. The id and the name of the call are copied.
func FunctionResult(call *interactionsapi.Step, result jsontext.Value) interactionsapi.Step {
	return interactionsapi.Step{Type: interactionsapi.StepTypeFunctionResult,
		CallID: jsonx.CopyOf(call.ID), Name: jsonx.CopyOf(call.Name), Result: result}
}

// Text returns the text of an answer, as the output_text of Google's SDKs: the last texts of the
// model that follow each other, joined. Thoughts between them are skipped. Any other step, and any
// media, ends the search.
func Text(r *interactionsapi.Interaction) string {
	var pieces []string // the last piece first
search:
	for i := len(r.Steps) - 1; i >= 0; i-- {
		step := &r.Steps[i]
		switch step.Type {
		case interactionsapi.StepTypeThought:
			continue
		case interactionsapi.StepTypeModelOutput:
		default:
			if len(pieces) > 0 || step.Type == interactionsapi.StepTypeUserInput {
				break search
			}
			continue
		}
		content := ContentOf(step)
		for j := len(content) - 1; j >= 0; j-- {
			if content[j].Type == interactionsapi.ContentTypeText {
				pieces = append(pieces, jsonx.Deref(content[j].Text))
			} else if len(pieces) > 0 {
				break search
			}
		}
	}
	var out strings.Builder
	for i := len(pieces) - 1; i >= 0; i-- {
		out.WriteString(pieces[i])
	}
	return out.String()
}

// Calls returns the function calls of an answer that wait for the client: steps of type
// function_call without a result in the answer. The result points into r.
func Calls(r *interactionsapi.Interaction) []*interactionsapi.Step {
	answered := map[string]bool{}
	for i := range r.Steps {
		if r.Steps[i].Type == interactionsapi.StepTypeFunctionResult {
			answered[jsonx.Deref(r.Steps[i].CallID)] = true
		}
	}
	var calls []*interactionsapi.Step
	for i := range r.Steps {
		step := &r.Steps[i]
		if step.Type == interactionsapi.StepTypeFunctionCall && !answered[jsonx.Deref(step.ID)] {
			calls = append(calls, step)
		}
	}
	return calls
}
