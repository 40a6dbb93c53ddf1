// Package message has what the gateway adds to Anthropic's Messages: the signatures of texts, and
// names of models.
package message

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
)

// extra implements [turn.Extra].
type extra struct {
	signing *signature.Carrying
	// question is what the answer is found by again.
	question *signature.Question
	// text is that of the open block of a stream, nil for a block of another kind.
	text *signature.Text
	// thinks is whether the client asks for thinking.
	thinks bool
}

// Extend adds to a turn whose request is for a message.
func Extend(t *turn.Turn, in *anthropicapi.CreateMessageRequest, signing *signature.Carrying) {
	t.Extra = &extra{signing: signing, question: question(signing.Memory, in.Messages),
		thinks: in.Thinking != nil}
	t.Asked, t.Options.SignID = ModelOf(t.Asked), signing.SignID()
	recallTexts(signing.Memory, in.Messages)
}

// Place implements [turn.Extra].
func (x *extra) Place(entries report.Report) report.Report { return entries }

// Unreadable implements [turn.Extra].
func (x *extra) Unreadable(err error) *problem.Problem { return problem.Unreadable(err) }

// Carrier implements [turn.Extra]. Signatures travel in the extension of a text, in ids where the
// client has not asked for thinking, else in thinking blocks before what they sign.
func (x *extra) Carrier(_ exchange.Side, part *geminiapi.Part) exchange.Carrier {
	switch {
	case part.FunctionCall == nil && !jsonx.Deref(part.Thought) && part.Text != nil:
		if x.signing.ByExtension {
			return exchange.CarrierExtension
		}
		return exchange.CarrierMemory
	case part.FunctionCall != nil && !x.thinks:
		return exchange.CarrierID
	default:
		return exchange.CarrierThought
	}
}
