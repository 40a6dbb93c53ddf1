package message

import (
	"slices"
	"strings"
)

// ClaudeCode begins the name by which Claude Code calls itself.
const ClaudeCode = "claude-cli"

const (
	// claudePrefix stands before names of Google's models in the list for Claude Code, which leaves
	// out models that do not seem to be Anthropic's.
	claudePrefix = "claude-"
	googlePrefix = "gemini-"
)

// NamesForClaudeCode returns other names for Google's models, by which Claude Code offers them.
func NamesForClaudeCode(names []string) (more []string) {
	for _, name := range names {
		if strings.HasPrefix(name, googlePrefix) && !slices.Contains(names, claudePrefix+name) {
			more = append(more, claudePrefix+name)
		}
	}
	return more
}

// ModelOf returns the model that a name stands for which only Anthropic's clients use. Users of
// Claude Code put [1m] behind a name, so that it counts on a window of so many tokens.
func ModelOf(name string) string {
	if before, size, hasSize := strings.Cut(name, "["); hasSize && strings.HasSuffix(size, "m]") {
		name = before
	}
	if model, isOffered := strings.CutPrefix(name, claudePrefix); isOffered &&
		strings.HasPrefix(model, googlePrefix) {
		return model
	}
	return name
}

// DisplayName returns the name of a model as people read it.
func DisplayName(name string) string { return strings.TrimPrefix(name, claudePrefix) }
