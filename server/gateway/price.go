package gateway

import (
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/ratecard"
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

// price returns what an answer cost by the model and the tier that answered, nil where that is not known. The tier is the
// one of the answer's usage, else of the reply's header, else the one that the request asks for.
func (s *settings) price(by *answeredBy, tier *geminiapi.ServiceTier, usage normalize.Usage, at time.Time) *ratecard.Cost {
	surface, isPriced := surfaces[s.upstream.Service]
	if s.card == nil || !isPriced || usage.TotalTokens == 0 {
		return nil
	}
	call := ratecard.Call{Surface: surface, Location: by.location, Tier: by.served, At: at, Usage: usage}
	if call.Tier == "" && tier != nil {
		call.Tier = ratecard.Tier(strings.ToLower(string(*tier)))
	}
	for _, call.Model = range by.pricedModels() {
		if cost, err := s.card.Cost(call); err == nil {
			return cost
		}
	}
	return nil
}

// pricedModels returns the models whose price an answer may have, the best one first. The model that
// answered has the price, unless a rate card of one's own has one for the name that was asked: a
// name that is not Google's, such as that of a tuned model, comes first.
func (b *answeredBy) pricedModels() []string {
	asked := models.At(b.tried, models.BothBackends, time.Time{})
	if b.tried == b.model() || asked.IsKnown() {
		return []string{b.model()}
	}
	return []string{b.tried, b.model()}
}
