package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// ToolName returns the tool that [ToGemini] declared under a function name, for a call in an
// answer. It returns a name without a tool unchanged.
func ToolName(tools []anthropicapi.Tool, function string) string {
	return functions.Tool(function, func(name string) bool {
		return slices.ContainsFunc(tools, func(t anthropicapi.Tool) bool { return t.Name == name })
	})
}
