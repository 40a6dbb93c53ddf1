package ratecard

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Call is the usage of one call, and where it was made.
type Call struct {
	// Model is the model that answered, with or without "models/".
	Model   string
	Surface Surface
	// Location is the location of Vertex AI, such as "europe-west4". "" is global.
	Location string
	// Tier is the requested tier. "" is standard. The tier that the response reports takes
	// precedence.
	Tier Tier
	// At is the time of the call. The zero value is now.
	At    time.Time
	Usage normalize.Usage
}

// Cost is an amount with its source.
type Cost struct {
	// Amount is in units of Currency, such as 0.00042 of "USD".
	Amount   float64
	Currency string
	// Source names the row of the card, such as "gemini-3.6-flash, Gemini API, 2026-10-01".
	Source string
	// Lines are the items of the amount.
	Lines []Line
	// Extras are possible costs in addition to tokens, such as searches. Amount does not include
	// them.
	Extras []Extra
}

// Line is the cost of the tokens of one class.
type Line struct {
	Class  Class
	Tokens int
	// Rate is the price of a million tokens.
	Rate, Amount float64
}

// UnpricedError is returned if a card has no price for a call.
type UnpricedError struct {
	Model   string
	Surface Surface
	Tier    Tier
	// Class is the class of tokens without a price, or "" if no tokens of the call have a price.
	Class Class
	// reason replaces the rest of the message if it is set.
	reason string
}

// Error returns what has no price.
func (e *UnpricedError) Error() string {
	where := fmt.Sprintf("ratecard: %s at the %s, %s, ", cmp.Or(e.Model, "a model without a name"),
		cmp.Or(surfaceNames[e.Surface], string(e.Surface), "unknown service"), e.Tier)
	switch {
	case e.reason != "":
		return where + e.reason
	case e.Class != "":
		return where + "has no price for " + string(e.Class)
	default:
		return where + "has no price"
	}
}

// million is the unit of rates.
const million = 1_000_000

// Cost returns the cost of a call. If any of its tokens has no price, it returns an
// [*UnpricedError].
func (c *Card) Cost(call Call) (*Cost, error) {
	q, err := c.quote(call)
	if err != nil {
		return nil, err
	}
	cost := &Cost{Amount: q.amount(), Currency: q.card.currency,
		Source: q.price.describe(q.model, call.Location, q.card.sources[q.price.Source])}
	cost.Extras = c.Extras(q.model, call.Surface, atOrNow(call.At))
	for i, n := range q.used {
		cost.Lines = append(cost.Lines, lineOf(n, q.rates[i]))
	}
	return cost, nil
}

// Amount is the same as Cost, but returns only the amount and its currency.
func (c *Card) Amount(call Call) (amount float64, currency string, err error) {
	q, err := c.quote(call)
	if err != nil {
		return 0, "", err
	}
	return q.amount(), q.card.currency, nil
}

// quote is the price of a call: the row of a card for a model, and the rate of each count.
type quote struct {
	model string
	card  *Card
	price *Price
	used  []count
	rates []float64
}

// amount returns the sum. The rates are for a million tokens; in millionths most sums are whole.
func (q *quote) amount() float64 {
	sum := 0.0
	for i, n := range q.used {
		sum += float64(n.tokens) * q.rates[i]
	}
	return sum / million
}

func (c *Card) quote(call Call) (*quote, error) {
	model := strings.TrimPrefix(call.Model, "models/")
	unpriced := &UnpricedError{Model: model, Surface: call.Surface, Tier: ServedTier(call)}
	used := countsOf(call.Usage)
	if len(used) == 0 {
		unpriced.reason = "reported no tokens"
		return nil, unpriced
	}
	prompt := call.Usage.InputTokens - call.Usage.ToolUseTokens
	model, card, price := c.answering(model, call.Surface, unpriced.Tier, prompt,
		atOrNow(call.At))
	if price == nil {
		return nil, unpriced
	}
	if price.hasModalities(Output) && call.Usage.OutputTokens > 0 && !hasOutputDetails(call.Usage) {
		unpriced.reason = "did not report whether its answer was text or an image"
		return nil, unpriced
	}
	rates := make([]float64, len(used))
	for i, n := range used {
		rate, ok := price.rate(n.class, n.modality)
		if !ok {
			unpriced.Class = n.class.of(n.modality)
			return nil, unpriced
		}
		rates[i] = rate * price.factor(call.Location)
	}
	return &quote{model, card, price, used, rates}, nil
}

// answering returns the row of a model, and the model that the row is for. If the vendor answers
// with another model at that time, it is that model's row. An alias such as gemini-flash-latest has
// no row, because only an answer says what it stands for.
func (c *Card) answering(model string, surface Surface, tier Tier, prompt int,
	at time.Time) (string, *Card, *Price) {
	card, price := c.find(model, surface, tier, prompt, at)
	if price != nil {
		return model, card, price
	}
	route := models.At(model, backends[surface], at).Route
	if route.Kind != models.RouteReplaced {
		return model, card, nil
	}
	card, price = c.find(route.Target, surface, tier, prompt, at)
	return route.Target, card, price
}

// backends are the services in package models. It is read-only.
var backends = map[Surface]models.Backends{GeminiAPI: models.GeminiAPI, VertexAI: models.VertexAI}

// Storage returns the cost of storing tokens in a cache for a time. The usage of the call only
// provides the tier. Without a price it returns an [*UnpricedError].
func (c *Card) Storage(call Call, tokens int, kept time.Duration) (*Cost, error) {
	model := strings.TrimPrefix(call.Model, "models/")
	unpriced := &UnpricedError{Model: model, Surface: call.Surface, Tier: ServedTier(call),
		Class: "storage"}
	model, card, price := c.answering(model, call.Surface, unpriced.Tier, tokens, atOrNow(call.At))
	if price == nil || price.Storage == nil {
		return nil, unpriced
	}
	return &Cost{
		Amount:   float64(tokens) / million * kept.Hours() * *price.Storage * price.factor(call.Location),
		Currency: card.currency,
		Source:   price.describe(model, call.Location, card.sources[price.Source]),
	}, nil
}

func lineOf(n count, rate float64) Line {
	return Line{Class: n.class.of(n.modality), Tokens: n.tokens, Rate: rate,
		Amount: float64(n.tokens) * rate / million}
}

func atOrNow(at time.Time) time.Time {
	if at.IsZero() {
		return clock.Now()
	}
	return at
}

// count is a number of tokens of one class.
type count struct {
	class    Class
	modality modality
	tokens   int
}

// countsOf divides a usage into classes with a price of their own. It omits classes without tokens.
func countsOf(u normalize.Usage) []count {
	wire := u.Wire
	if wire == nil {
		wire = &geminiapi.UsageMetadata{}
	}
	fresh := byModality(u.InputTokens-u.ToolUseTokens, wire.PromptTokensDetails)
	cached := fresh.take(u.CachedTokens, wire.CacheTokensDetails)
	var out []count
	add := func(class Class, by tokens) {
		for m, n := range by {
			if n > 0 {
				out = append(out, count{class, modality(m), n})
			}
		}
	}
	add(Input, fresh)
	add(CachedInput, cached)
	add(ToolUse, tokens{text: u.ToolUseTokens})
	add(Output, byModality(u.OutputTokens, wire.CandidatesTokensDetails))
	add(Thinking, tokens{text: u.ThinkingTokens})
	return out
}

func hasOutputDetails(u normalize.Usage) bool {
	return u.Wire != nil && len(u.Wire.CandidatesTokensDetails) > 0
}

// trafficTiers are Vertex AI's names of the tiers. Prepaid capacity has no tier.
var trafficTiers = map[geminiapi.TrafficType]Tier{
	geminiapi.TrafficTypeOnDemand:         Standard,
	geminiapi.TrafficTypeOnDemandFlex:     Flex,
	geminiapi.TrafficTypeOnDemandPriority: Priority,
}

// ServedTier returns the tier that the response reports, or else the requested tier. If there was
// no capacity, a priority call was served as standard. A tier without a price per token is returned
// under its wire name.
func ServedTier(call Call) Tier {
	asked := cmp.Or(call.Tier, Standard)
	if call.Usage.Wire == nil {
		return asked
	}
	if served := jsonx.Deref(call.Usage.Wire.ServiceTier); served != "" &&
		served != geminiapi.ServiceTierUnspecified {
		return Tier(strings.ToLower(string(served)))
	}
	traffic := jsonx.Deref(call.Usage.Wire.TrafficType)
	switch tier, ok := trafficTiers[traffic]; {
	case traffic == "" || traffic == geminiapi.TrafficTypeUnspecified:
		return asked
	case ok && tier == Standard && asked == Batch: // a batch is on demand, too
		return Batch
	case ok:
		return tier
	}
	return Tier(strings.ToLower(string(traffic)))
}
