package message

import (
	"slices"
	"strings"
)

// ClaudeCode is the prefix of Claude Code's User-Agent.
const ClaudeCode = "claude-cli"

const (
	// claudePrefix is put before names of Google's models in the list for Claude Code. Claude Code
	// hides models whose names do not look like Anthropic's.
	claudePrefix = "claude-"
	googlePrefix = "gemini-"
)

// NamesForClaudeCode returns the names under which Claude Code shows Google's models.
func NamesForClaudeCode(names []string) (more []string) {
	for _, name := range names {
		if strings.HasPrefix(name, googlePrefix) && !slices.Contains(names, claudePrefix+name) {
			more = append(more, claudePrefix+name)
		}
	}
	return more
}

// ModelOf returns the model for a name that only Anthropic's clients use. Users of Claude Code
// append [1m] to a name to select a context window of one million tokens.
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

// DisplayName returns the human-readable name of a model.
func DisplayName(name string) string { return strings.TrimPrefix(name, claudePrefix) }
