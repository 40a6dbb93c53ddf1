package gateway

import (
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/ratecard"
)

// WithRateCard has the cost of each request told to observers, by prices such as those of [ratecard.Google]. What has no
// price there has no cost. Without this option nothing has.
func WithRateCard(card *ratecard.Card) Option { return func(s *settings) { s.card = card } }

// WithCostInUsage has answers tell their cost in usage.cost, in units of usage.cost_currency such as "USD", where the rate
// card of [WithRateCard] has a price: a stream's headers are sent before anybody knows.
func WithCostInUsage() Option { return func(s *settings) { s.costInUsage = true } }

// surfaces are the services that have prices. It is never written to.
var surfaces = map[Service]ratecard.Surface{
	GeminiAPI: ratecard.GeminiAPI, VertexAI: ratecard.VertexAI, VertexAIExpress: ratecard.VertexAI,
}

// price returns what an answer cost, nil where nobody knows.
func (s *settings) price(model string, tier *geminiapi.ServiceTier, usage normalize.Usage, at time.Time) *ratecard.Cost {
	surface, isPriced := surfaces[s.upstream.Service]
	if s.card == nil || !isPriced || usage.TotalTokens == 0 {
		return nil
	}
	call := ratecard.Call{Model: model, Surface: surface, At: at, Usage: usage}
	if tier != nil {
		call.Tier = ratecard.Tier(*tier)
	}
	cost, err := s.card.Cost(call)
	if err != nil { // it has no price
		return nil
	}
	return cost
}
