// Package message contains what the gateway adds to Anthropic's Messages API: signatures of texts,
// and model names.
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
	// question is the key under which the answer is found again.
	question *signature.Question
	// text is the text of a stream's open block. It is nil for a block of another kind.
	text *signature.Text
	// thinks reports that the client asks for thinking.
	thinks bool
}

// Extend extends a turn that asks for a message.
func Extend(t *turn.Turn, signing *signature.Carrying) {
	in, ok := t.Request.Body().(*anthropicapi.CreateMessageRequest)
	if !ok {
		return
	}
	t.Extra = &extra{signing: signing, question: question(signing.Memory, in.Messages),
		thinks: in.Thinking != nil}
	t.Asked, t.Options.SignID = ModelOf(t.Asked), signing.SignID()
	recallTexts(signing.Memory, in.Messages)
}

// Place implements [turn.Extra].
func (x *extra) Place(entries report.Report) report.Report { return entries }

// Unreadable implements [turn.Extra].
func (x *extra) Unreadable(err error) *problem.Problem { return problem.Unreadable(err) }

// Carrier implements [turn.Extra]. Signatures of texts travel in their extension. Other signatures
// travel in thinking blocks before the part that they sign, or in ids if the client has not asked
// for thinking.
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
