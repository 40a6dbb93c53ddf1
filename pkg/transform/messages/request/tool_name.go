package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
)

// functionName returns the name by which Gemini knows a tool. Gemini's names begin with a letter or
// an underscore, Anthropic's also with a digit or a dash, before which an underscore is put.
func functionName(tool string) string {
	if tool == "" || !isOddStart(tool[0]) {
		return tool
	}
	return "_" + tool
}

func isOddStart(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// ToolName returns the name of the request's tool by which [ToGemini] has declared a function of a
// name, which is that of a call in an answer. A name that no tool has is returned as it is.
func ToolName(tools []anthropicapi.Tool, function string) string {
	if len(function) < 2 || function[0] != '_' || !isOddStart(function[1]) {
		return function
	}
	for i := range tools {
		if tools[i].Name == function {
			return function
		}
	}
	return function[1:]
}
