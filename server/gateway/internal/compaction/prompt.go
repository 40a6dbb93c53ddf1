package compaction

import (
	_ "embed"
	"strings"
)

// promptText is the data file with the default prompt. It is never modified.
//
//go:embed prompt.txt
var promptText string

// DefaultPrompt returns the default text that asks the model for a summary.
func DefaultPrompt() string { return strings.TrimSpace(promptText) }
