package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
)

// functionName returns Gemini's name for a tool. Gemini's names begin with a letter or an
// underscore. Anthropic's can also begin with a digit or a dash, which then gets an underscore
// before it.
func functionName(tool string) string {
	if tool == "" || !isOddStart(tool[0]) {
		return tool
	}
	return "_" + tool
}

func isOddStart(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// ToolName returns the tool that [ToGemini] declared under a function name, for a call in an
// answer. It returns a name without a tool unchanged.
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
