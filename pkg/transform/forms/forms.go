// Package forms lists the APIs that gemwire converts to and from Gemini: chat_completions, the
// Responses API, Messages, and Google's Interactions API. It is the only place that lists them.
package forms

import (
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/back"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
	interactionsback "github.com/gemwire/gemwire/pkg/transform/interactions/reverse/back"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/responses"
)

// All returns a new copy of the table, to which a caller may add. The order is the order of help
// texts.
func All() transform.Forms {
	completions := chat.Form()
	completions.Back = back.New() // whose package imports the form's
	stepwise := interactions.Form()
	stepwise.Back = interactionsback.New()
	return transform.Forms{completions, responses.Form(), messages.Form(), stepwise}
}
