// Package forms has the table of the forms that gemwire supports. It is the only place that lists
// them.
package forms

import (
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/transform/responses"
)

// All returns a new copy of the table, to which a caller may add. The order is the order of help
// texts.
func All() transform.Forms {
	return transform.Forms{chat.Form(), responses.Form(), messages.Form()}
}
