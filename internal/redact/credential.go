package redact

import (
	"regexp"
	"slices"
	"strings"
)

// credential is what a key or an access token of Google's looks like.
var credential = regexp.MustCompile(`AIza[0-9A-Za-z_-]{35}|ya29\.[0-9A-Za-z_-]{20,}|AQ\.[0-9A-Za-z_-]{30,}`)

// credentialStarts begin what [credential] finds: few texts have one, so that the expression seldom runs.
var credentialStarts = []string{"AIza", "ya29.", "AQ."}

// Credentials returns the text with [Mark] in place of whatever looks like a key or an access token of Google's, whoever
// it belongs to. It is for texts that nobody has put a credential into on purpose, such as the name of a model.
func Credentials(text string) string {
	if !slices.ContainsFunc(credentialStarts, func(start string) bool { return strings.Contains(text, start) }) {
		return text
	}
	return credential.ReplaceAllLiteralString(text, Mark)
}
