// Package credential blanks what looks like a credential of Google's, where nobody knows which one
// it may be. It is apart from the blanking of known secrets, as programs that only ask Gemini have
// that, and need no regular expressions.
package credential

import (
	"regexp"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/redact"
)

// pattern is what a key or an access token of Google's looks like.
var pattern = regexp.MustCompile(`AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|AQ\.[0-9A-Za-z_-]{30,}`)

// starts begin what [pattern] finds: few texts have one, so that the expression seldom runs.
var starts = []string{"AIza", "ya29.", "AQ."}

// Blank returns the text with [redact.Mark] in place of whatever looks like a key or an access
// token of Google's, whoever it belongs to. It is for texts that nobody has put a credential into
// on purpose, such as the name of a model.
func Blank(text string) string {
	if !slices.ContainsFunc(starts,
		func(start string) bool { return strings.Contains(text, start) }) {
		return text
	}
	return pattern.ReplaceAllLiteralString(text, redact.Mark)
}
