// Package credential removes everything that looks like a Google credential from a text, if the
// credential itself is not known. It is separate from the removal of known secrets, because
// programs that only call Gemini use that and need no regular expressions.
package credential

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// pattern matches Google's keys and access tokens.
var pattern = regexp.MustCompile(`AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|AQ\.[0-9A-Za-z_-]{30,}`)

// starts are prefixes of what [pattern] matches. Few texts have one, so the expression rarely runs.
var starts = []string{"AIza", "ya29.", "AQ."}

// Blank replaces everything that looks like a Google key or access token with [redact.Mark]. It is
// for texts that should not contain a credential, such as a model name.
func Blank(text string) string {
	if !slices.ContainsFunc(starts,
		func(start string) bool { return strings.Contains(text, start) }) {
		return text
	}
	return pattern.ReplaceAllLiteralString(text, redact.Mark)
}
