package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/signature"
)

// Carrier returns how the signature of a part travels, or how it has come back. Signatures of parts
// other than calls use only the extension.
func (x *extra) Carrier(side exchange.Side, part *geminiapi.Part) exchange.Carrier {
	given := jsonx.Deref(part.ThoughtSignature)
	switch {
	case part.FunctionCall == nil:
		return exchange.CarrierExtension
	case side == exchange.Client && x.carriers[given] != "":
		return x.carriers[given]
	case side == exchange.Client:
		return exchange.CarrierID
	case !x.signing.ByID:
		return exchange.CarrierExtension
	case part.FunctionCall.Name == nil: // a later piece of a call, whose id is sent
		return exchange.CarrierMemory
	case x.signing.Fits(jsonx.Deref(part.FunctionCall.ID), given):
		return exchange.CarrierID
	default:
		return exchange.CarrierMemory
	}
}

// noteCarriers records which signatures of calls came back outside of ids. It must run before names
// are looked up.
func (x *extra) noteCarriers(messages []openaiapi.ChatMessage) {
	x.carriers = map[string]exchange.Carrier{}
	for i := range messages {
		for j := range messages[i].ToolCalls {
			call := &messages[i].ToolCalls[j]
			if sent := signature.Of(call.ExtraContent); sent != nil {
				x.carriers[*sent] = exchange.CarrierExtension
			} else if _, found, _ := x.signing.Memory.Find(call.ID); found != "" {
				x.carriers[found] = exchange.CarrierMemory
			}
		}
	}
}
