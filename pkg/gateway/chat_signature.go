package gateway

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// carrier tells how the signature of a part travels, or has come back. Those of parts that are no calls have only the
// extension.
func (t *chatTurn) carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier {
	signature := optional.Value(part.ThoughtSignature)
	switch {
	case part.FunctionCall == nil:
		return exchange.CarrierExtension
	case side == exchange.Client && t.carriers[signature] != "":
		return t.carriers[signature]
	case side == exchange.Client:
		return exchange.CarrierID
	case t.signatures.mode == SignaturesInExtension:
		return exchange.CarrierExtension
	case part.FunctionCall.Name == nil: // a later piece of a call, whose id is sent
		return exchange.CarrierMemory
	case len(signature) < t.signatures.idLength && len(toopenai.SignedID(optional.Value(part.FunctionCall.ID), signature)) <= t.signatures.idLength:
		return exchange.CarrierID
	default:
		return exchange.CarrierMemory
	}
}

// noteCarriers notes which signatures of calls came back otherwise than in ids. It is called before names are looked up.
func (t *chatTurn) noteCarriers(messages []openaiapi.ChatMessage) {
	t.carriers = map[string]exchange.Carrier{}
	for i := range messages {
		for j := range messages[i].ToolCalls {
			call := &messages[i].ToolCalls[j]
			if signature := signatureOf(call.ExtraContent); signature != nil {
				t.carriers[*signature] = exchange.CarrierExtension
			} else if _, signature, _ := t.signatures.memory.Find(call.ID); signature != "" {
				t.carriers[signature] = exchange.CarrierMemory
			}
		}
	}
}
