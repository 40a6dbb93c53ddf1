// Package forms has the table of the forms that gemwire knows. It is the only place that lists
// them.
package forms

import (
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/responses"
)

// All returns the table, new with each call: a caller may add to it. The order is the one of help
// texts.
func All() transform.Forms {
	return transform.Forms{chat.Form(), responses.Form(), messages.Form()}
}
