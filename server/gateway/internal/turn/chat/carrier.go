package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

// Carrier tells how the signature of a part travels, or has come back. Those of parts that are no calls have only the
// extension.
func (t *Turn) Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier {
	given := jsonx.Deref(part.ThoughtSignature)
	switch {
	case part.FunctionCall == nil:
		return exchange.CarrierExtension
	case side == exchange.Client && t.carriers[given] != "":
		return t.carriers[given]
	case side == exchange.Client:
		return exchange.CarrierID
	case !t.signing.ByID:
		return exchange.CarrierExtension
	case part.FunctionCall.Name == nil: // a later piece of a call, whose id is sent
		return exchange.CarrierMemory
	case t.signing.Fits(jsonx.Deref(part.FunctionCall.ID), given):
		return exchange.CarrierID
	default:
		return exchange.CarrierMemory
	}
}

// noteCarriers notes which signatures of calls came back otherwise than in ids. It is called before names are looked up.
func (t *Turn) noteCarriers(messages []openaiapi.ChatMessage) {
	t.carriers = map[string]exchange.Carrier{}
	for i := range messages {
		for j := range messages[i].ToolCalls {
			call := &messages[i].ToolCalls[j]
			if sent := signature.Of(call.ExtraContent); sent != nil {
				t.carriers[*sent] = exchange.CarrierExtension
			} else if _, found, _ := t.signing.Memory.Find(call.ID); found != "" {
				t.carriers[found] = exchange.CarrierMemory
			}
		}
	}
}
