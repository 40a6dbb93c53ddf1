package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

const detailUnsigned = "a placeholder that skips Google's check, because there is no signature"

// sign gives the first call of a turn a signature if it has none and the model refuses such calls.
func (b *input) sign(p *geminiapi.Part, at string) {
	if b.signed || jsonx.Deref(p.ThoughtSignature) != "" {
		b.signed = true
		return
	}
	b.signed = true
	if b.traits.RequiresSignatures {
		p.ThoughtSignature = new(conversation.UnsignedCall)
		b.report.Add(report.Added, at+"/thoughtSignature", detailUnsigned)
	}
}

// signThoughts gives thoughts a signature that have none, for models that refuse them otherwise. A
// thought whose call is signed needs none.
func (b *input) signThoughts(list []interactionsapi.Step, pointers []string) {
	if !b.traits.RequiresSignatures {
		return
	}
	for i := range list {
		if list[i].Type != interactionsapi.StepTypeThought || list[i].Signature != nil {
			continue
		}
		if i+1 < len(list) && list[i+1].Type == interactionsapi.StepTypeFunctionCall &&
			list[i+1].Signature != nil {
			continue
		}
		list[i].Signature = new(conversation.UnsignedCall)
		b.report.Add(report.Added, pointers[i]+"/thoughtSignature", detailUnsigned)
	}
}
