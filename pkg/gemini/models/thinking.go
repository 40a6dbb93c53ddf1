package models

import "github.com/gemwire/gemwire/gen/geminiapi"

// ThinkingTraits is how the amount of a model's reasoning can be set: by a budget of tokens, by a
// level, by either (but never by both at once), or not at all.
type ThinkingTraits struct {
	// Budget is the range of thinkingBudget; nil when the model takes none.
	Budget *BudgetRange
	// BudgetUntested is true when Budget is nil because others say so, and no answer to a budget
	// was seen: a request is best made without one, and is not known to be refused with one.
	BudgetUntested bool
	// Levels are the values of thinkingLevel in rising order; nil when the model takes none.
	Levels []geminiapi.ThinkingLevel
	// DefaultLevel is the level of a request that names none; "" without Levels, or when it is not
	// known.
	DefaultLevel geminiapi.ThinkingLevel
}

// Amount is how much a model is to think, in words that do not depend on the model.
type Amount string

// The amounts, in rising order.
const (
	AmountNone   Amount = "none"
	AmountLow    Amount = "low"
	AmountMedium Amount = "medium"
	AmountHigh   Amount = "high"
)

// Config returns the thinkingConfig that asks a model for an amount: the nearest level where the
// model has levels, which is from Gemini 3 on, or else a budget. It is nil when the model does not
// think, or the amount is none of the four.
//
// The effort of a chat completion is another scale, of which Google's own endpoint fixes the
// budgets; see pkg/transform/chat/request.
func (t ThinkingTraits) Config(amount Amount) *geminiapi.ThinkingConfig {
	level, known := levelsOfAmounts[amount]
	switch {
	case !known:
		return nil
	case len(t.Levels) > 0:
		return &geminiapi.ThinkingConfig{ThinkingLevel: new(t.NearestLevel(level))}
	case t.Budget != nil:
		return &geminiapi.ThinkingConfig{ThinkingBudget: new(t.Budget.Tokens(amount))}
	default:
		return nil
	}
}

// levelsOfAmounts are the levels that mean the amounts. MINIMAL is the least that there is. It is
// never written to.
var levelsOfAmounts = map[Amount]geminiapi.ThinkingLevel{
	AmountNone:   geminiapi.ThinkingLevelMinimal,
	AmountLow:    geminiapi.ThinkingLevelLow,
	AmountMedium: geminiapi.ThinkingLevelMedium,
	AmountHigh:   geminiapi.ThinkingLevelHigh,
}

// NearestLevel returns the one of the model's levels that is nearest to another, and of two the
// higher one, as Google's own endpoint for chat completions does. It returns "" for a model without
// levels.
func (t ThinkingTraits) NearestLevel(want geminiapi.ThinkingLevel) geminiapi.ThinkingLevel {
	var nearest geminiapi.ThinkingLevel
	for _, level := range t.Levels {
		if nearest == "" || distance(level, want) <= distance(nearest, want) {
			nearest = level
		}
	}
	return nearest
}

func distance(a, b geminiapi.ThinkingLevel) int {
	return max(levelDepths[a], levelDepths[b]) - min(levelDepths[a], levelDepths[b])
}

// levelDepths puts the levels in order. It is never written to.
var levelDepths = map[geminiapi.ThinkingLevel]int{
	geminiapi.ThinkingLevelMinimal: 0,
	geminiapi.ThinkingLevelLow:     1,
	geminiapi.ThinkingLevelMedium:  2,
	geminiapi.ThinkingLevelHigh:    3,
}

// BudgetRange is the range of thinkingBudget, in tokens. Besides it -1 is always allowed and
// lets the model decide.
type BudgetRange struct {
	// Min and Max bound a budget that is not 0; both may be used.
	Min, Max int
	// CanBeOff is true when a budget of 0 turns the reasoning off.
	CanBeOff bool
	// OffUntested is true when no answer to a budget of 0 was seen: CanBeOff then promises nothing,
	// and 0 is not known to be refused.
	OffUntested bool
	// Assumed is true when Google names no range for the model: Min and Max are the widest of its
	// relatives, and the model may take more.
	Assumed bool
}

// Holds reports whether a request may name the budget: one in the range, 0 when that turns thinking
// off, or -1.
func (r *BudgetRange) Holds(budget int) bool {
	switch budget {
	case -1:
		return true
	case 0:
		return r.CanBeOff
	}
	return r.Min <= budget && budget <= r.Max
}

// Tokens returns an amount as a budget. The amounts divide the range in three: none is its lower
// end, low a third and medium two thirds of the way, rounded down, and high its upper end. For 2.5
// Pro, whose range is 128 to 32768, that is 128, 11008, 21888 and 32768. A range that begins at 1
// and can be off begins at 0, as Google writes it. An amount that is none of the four is -1, which
// lets the model decide.
func (r *BudgetRange) Tokens(amount Amount) int {
	lowest := r.Min
	if lowest == 1 && r.CanBeOff {
		lowest = 0
	}
	switch amount {
	case AmountNone:
		return lowest
	case AmountLow:
		return lowest + (r.Max-lowest)/3
	case AmountMedium:
		return lowest + 2*(r.Max-lowest)/3
	case AmountHigh:
		return r.Max
	default:
		return -1
	}
}
