package ratecard

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Call is what was used, and where.
type Call struct {
	// Model is the one that answered, with "models/" or without.
	Model   string
	Surface Surface
	// Tier is the one that was asked for. That which the response says it was served in goes before it; "" is standard.
	Tier Tier
	// At is when it was used. The zero value is now.
	At    time.Time
	Usage normalize.Usage
}

// Cost is an amount and where it comes from.
type Cost struct {
	// Amount is in units of Currency, such as 0.00042 of "USD".
	Amount   float64
	Currency string
	// Source names the row of the card, such as "gemini-2.5-flash, Gemini API, 2026-06-02".
	Source string
	// Lines are what the amount is the sum of.
	Lines []Line
}

// Line is the cost of the tokens of one kind.
type Line struct {
	Class  Class
	Tokens int
	// Rate is for a million tokens.
	Rate, Amount float64
}

// UnpricedError says that a card has no price for a call.
type UnpricedError struct {
	Model   string
	Surface Surface
	Tier    Tier
	// Class is the kind of tokens that has none, "" when nothing of the call has.
	Class Class
	// reason stands in place of the rest where it is another.
	reason string
}

// Error names what has no price.
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

// million is what rates are for.
const million = 1_000_000

// Cost returns what a call costs. Without a price for all of its tokens it returns an [*UnpricedError].
func (c *Card) Cost(call Call) (*Cost, error) {
	model := strings.TrimPrefix(call.Model, "models/")
	unpriced := &UnpricedError{Model: model, Surface: call.Surface, Tier: servedTier(call)}
	used := countsOf(call.Usage)
	if len(used) == 0 {
		unpriced.reason = "told of no tokens"
		return nil, unpriced
	}
	prompt := call.Usage.InputTokens - call.Usage.ToolUseTokens
	card, price := c.find(model, call.Surface, unpriced.Tier, prompt, atOrNow(call.At))
	if price == nil {
		return nil, unpriced
	}
	if price.Rates.hasModalities(Output) && call.Usage.OutputTokens > 0 && !hasOutputDetails(call.Usage) {
		unpriced.reason = "told not what its answer was, text or an image"
		return nil, unpriced
	}
	cost := &Cost{Currency: card.currency, Source: price.describe(model, card.sources[price.Source])}
	sum := 0.0 // in millionths, which most prices make whole
	for _, n := range used {
		rate, ok := price.Rates.rate(n.class, n.modality)
		if !ok {
			unpriced.Class = n.class.of(n.modality)
			return nil, unpriced
		}
		cost.Lines = append(cost.Lines, lineOf(n, rate))
		sum += float64(n.tokens) * rate
	}
	cost.Amount = sum / million
	return cost, nil
}

// Storage returns what it costs to keep tokens in a cache for a time. The usage of the call counts only for the tier.
// Without a price it returns an [*UnpricedError].
func (c *Card) Storage(call Call, tokens int, kept time.Duration) (*Cost, error) {
	model := strings.TrimPrefix(call.Model, "models/")
	unpriced := &UnpricedError{Model: model, Surface: call.Surface, Tier: servedTier(call), Class: "storage"}
	card, price := c.find(model, call.Surface, unpriced.Tier, tokens, atOrNow(call.At))
	if price == nil || price.Storage == nil {
		return nil, unpriced
	}
	return &Cost{
		Amount:   float64(tokens) / million * kept.Hours() * *price.Storage,
		Currency: card.currency,
		Source:   price.describe(model, card.sources[price.Source]),
	}, nil
}

func lineOf(n count, rate float64) Line {
	return Line{Class: n.class.of(n.modality), Tokens: n.tokens, Rate: rate, Amount: float64(n.tokens) * rate / million}
}

func atOrNow(at time.Time) time.Time {
	if at.IsZero() {
		return time.Now()
	}
	return at
}

// count is a number of tokens of one kind.
type count struct {
	class    Class
	modality modality
	tokens   int
}

// countsOf divides a usage by what has a price of its own. Kinds without tokens are left out.
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

// trafficTiers are the tiers as Vertex AI tells them. Capacity that was paid for otherwise is none of them.
var trafficTiers = map[geminiapi.TrafficType]Tier{
	geminiapi.TrafficTypeUnspecified:      "",
	geminiapi.TrafficTypeOnDemand:         "",
	geminiapi.TrafficTypeOnDemandFlex:     Flex,
	geminiapi.TrafficTypeOnDemandPriority: Priority,
}

// servedTier returns the tier of a call: the one that the response tells, such as standard for a priority call that
// found no room, else the one that was asked for. One that has no price by the token is returned in the wire's words.
func servedTier(call Call) Tier {
	asked := cmp.Or(call.Tier, Standard)
	if call.Usage.Wire == nil {
		return asked
	}
	if told := optional.Value(call.Usage.Wire.ServiceTier); told != "" && told != geminiapi.ServiceTierUnspecified {
		return Tier(told)
	}
	traffic := optional.Value(call.Usage.Wire.TrafficType)
	if traffic == "" {
		return asked
	}
	if tier, ok := trafficTiers[traffic]; ok {
		return cmp.Or(tier, asked)
	}
	return Tier(strings.ToLower(string(traffic)))
}
