package models

import "github.com/gemwire/gemwire/gen/geminiapi"

// ThinkingTraits describe how to set the amount of a model's reasoning: by a budget of tokens, by a
// level, by either (but never by both at once), or not at all.
type ThinkingTraits struct {
	// Budget is the range of thinkingBudget, or nil if the model accepts none.
	Budget *BudgetRange
	// BudgetUntested is true if Budget is nil only because other sources say so, without a recorded
	// answer. Send no budget then. The API is not known to refuse one.
	BudgetUntested bool
	// Levels are the values of thinkingLevel in rising order, or nil if the model accepts none.
	Levels []geminiapi.ThinkingLevel
	// DefaultLevel is the level of a request that names none. It is "" without Levels or if
	// unknown.
	DefaultLevel geminiapi.ThinkingLevel
}

// Amount is how much a model should think, independent of the model.
type Amount string

// The amounts, in rising order.
const (
	AmountNone   Amount = "none"
	AmountLow    Amount = "low"
	AmountMedium Amount = "medium"
	AmountHigh   Amount = "high"
)

// Config returns the thinkingConfig for an amount: the nearest level if the model has levels, as
// since Gemini 3, or else a budget. It is nil if the model does not think, or if the amount is not
// one of the four.
//
// The effort of a chat completion is a different scale, for which Google's own endpoint fixes the
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

// levelsOfAmounts are the levels for the amounts. MINIMAL is the lowest level. It is never
// modified.
var levelsOfAmounts = map[Amount]geminiapi.ThinkingLevel{
	AmountNone:   geminiapi.ThinkingLevelMinimal,
	AmountLow:    geminiapi.ThinkingLevelLow,
	AmountMedium: geminiapi.ThinkingLevelMedium,
	AmountHigh:   geminiapi.ThinkingLevelHigh,
}

// NearestLevel returns the model's level that is nearest to another level. Of two equally near
// levels it returns the higher one, like Google's own endpoint for chat completions. It returns ""
// for a model without levels.
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

// levelDepths orders the levels. It is never modified.
var levelDepths = map[geminiapi.ThinkingLevel]int{
	geminiapi.ThinkingLevelMinimal: 0,
	geminiapi.ThinkingLevelLow:     1,
	geminiapi.ThinkingLevelMedium:  2,
	geminiapi.ThinkingLevelHigh:    3,
}

// BudgetRange is the range of thinkingBudget, in tokens. The value -1 is always allowed too; it
// lets the model decide.
type BudgetRange struct {
	// Min and Max limit a budget that is not 0; both are allowed values.
	Min, Max int
	// CanBeOff is true if a budget of 0 turns the reasoning off.
	CanBeOff bool
	// OffUntested is true if no answer to a budget of 0 was recorded. CanBeOff then promises
	// nothing, and the API is not known to refuse 0.
	OffUntested bool
	// Assumed is true if Google names no range for the model. Min and Max are then the widest of
	// similar models, and the model may accept more.
	Assumed bool
}

// Holds reports whether a request may use the budget: a value in the range, 0 if that turns
// thinking off, or -1.
func (r *BudgetRange) Holds(budget int) bool {
	switch budget {
	case -1:
		return true
	case 0:
		return r.CanBeOff
	}
	return r.Min <= budget && budget <= r.Max
}

// Tokens returns an amount as a budget. The amounts divide the range into three parts, rounded
// down: none is its lower end, low a third, medium two thirds, and high its upper end. For 2.5 Pro,
// whose range is 128 to 32768, the budgets are 128, 11008, 21888 and 32768. A range that begins at
// 1 and can be off begins at 0, as Google writes it. Any other amount is -1, which lets the model
// decide.
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
