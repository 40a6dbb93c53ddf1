package openaianswer

import "github.com/gemwire/gemwire/pkg/normalize"

// RefusalText returns why a prompt was refused, with Google's own explanation if there is one.
func RefusalText(blocked *normalize.BlockedError) string {
	text := "The prompt was blocked"
	if blocked.Reason != "" {
		text += ": " + string(blocked.Reason)
	}
	text += "."
	if blocked.Message != "" {
		text += " " + blocked.Message
	}
	return text
}
