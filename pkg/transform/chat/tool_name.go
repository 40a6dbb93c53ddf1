package chat

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// toolNames has the client's name of each tool that has another name in Gemini, by that name. Nil
// is for a request without such tools.
type toolNames map[string]string

// toolNamesOf returns the names for a request. Nil is a request without tools.
func toolNamesOf(r *openaiapi.CreateChatCompletionRequest) (names toolNames) {
	if r == nil {
		return nil
	}
	declared := declaredNames(r)
	for _, name := range declared {
		function := functions.Name(name)
		if function == name || slices.Contains(declared, function) {
			continue
		}
		if names == nil {
			names = toolNames{}
		}
		names[function] = name
	}
	return names
}

// declaredNames returns the names of a request's functions.
func declaredNames(r *openaiapi.CreateChatCompletionRequest) []string {
	out := make([]string, 0, len(r.Tools)+len(r.Functions))
	for i := range r.Tools {
		if function := r.Tools[i].Function; function != nil {
			out = append(out, function.Name)
		}
	}
	for i := range r.Functions {
		out = append(out, r.Functions[i].Name)
	}
	return out
}

// of returns the client's name of a called function.
func (n toolNames) of(function string) string {
	if name, renamed := n[function]; renamed {
		return name
	}
	return function
}
