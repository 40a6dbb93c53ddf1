package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// unsignedCall stands for the thought signature of a call that has none, such as one that another
// provider's model made: the word by which Google documents that the check is to be skipped, as it is,
// not in base64.
const unsignedCall = "skip_thought_signature_validator"

// sign completes the calls for models that refuse unsigned ones. They ask for a signature on the first
// call of each of the model's turns.
func (b *conversation) sign() {
	if !b.traits.RequiresSignatures {
		return
	}
	for i := range b.turns {
		if t := &b.turns[i]; len(t.calls) > 0 {
			b.signTurn(t)
		}
	}
}

func (b *conversation) signTurn(t *turn) {
	first := firstCall(t.parts)
	if first == nil || optional.Value(first.ThoughtSignature) != "" {
		return
	}
	first.ThoughtSignature = new(unsignedCall)
	b.report.Add(transform.Added, t.calls[0].at.pointer("/extra_content/google/thought_signature"),
		"the call has no thought signature; Gemini is asked not to check it")
}

func firstCall(parts []geminiapi.Part) *geminiapi.Part {
	for i := range parts {
		if parts[i].FunctionCall != nil {
			return &parts[i]
		}
	}
	return nil
}
