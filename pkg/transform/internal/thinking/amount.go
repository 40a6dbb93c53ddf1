package thinking

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
)

// setAmount sets how much the model thinks: as a level from Gemini 3 on, as a token budget on 2.5.
// Google's own endpoint for chat completions uses the same budgets for efforts.
// [models.BudgetRange.Tokens] is for programs that have no such endpoint to follow. As at Google's
// endpoint, an effort does not ask for thoughts in the answer.
func (w *Wish) setAmount(pointer string, asked amount) {
	thinking := &w.Traits.Thinking
	switch {
	case len(thinking.Levels) > 0 && asked.level != "":
		level := thinking.NearestLevel(asked.level)
		w.Config().ThinkingConfig = &geminiapi.ThinkingConfig{ThinkingLevel: &level}
		w.reportAmount(pointer, asked, level == asked.level && !asked.beyond)
	case thinking.Budget != nil:
		budget, exact := asked.tokens(thinking.Budget)
		w.Config().ThinkingConfig = &geminiapi.ThinkingConfig{ThinkingBudget: &budget}
		w.reportAmount(pointer, asked, exact)
	case len(thinking.Levels) > 0:
		w.Report.Add(report.Lost, pointer, "the model accepts no token budget")
	case asked.budget == 0:
		w.Report.Add(report.Approximated, pointer, "no effect, because the model never thinks")
	default:
		w.Report.Add(report.Lost, pointer, "the model does not think")
	}
}

func (w *Wish) reportAmount(pointer string, asked amount, exact bool) {
	switch {
	case exact:
	case asked.budget == 0:
		w.Report.Add(report.Approximated, pointer,
			"replaced by the least thinking that the model allows, because it always thinks")
	default:
		w.Report.Add(report.Approximated, pointer, "replaced by the nearest setting of the model")
	}
}

// amount is an effort, as a level and a budget of Gemini, or a number of tokens.
type amount struct {
	// level is the nearest of all levels, or "" for a number of tokens.
	level geminiapi.ThinkingLevel
	// beyond is true if the effort is below the lowest or above the highest level.
	beyond bool
	// budget is a number of tokens.
	budget int
}

const (
	// mostThinking is a budget above the limit of any model.
	mostThinking = 1 << 30
	// AsMuchAsItLikes is the budget with which Gemini lets the model decide.
	AsMuchAsItLikes = -1
)

// efforts maps efforts to amounts. Google's own endpoint uses the same budgets for minimal to high
// (ai.google.dev/gemini-api/docs/openai, "Thinking"). More than high is the maximum of any model.
// It is never modified.
var efforts = map[string]amount{
	"none":    {level: geminiapi.ThinkingLevelMinimal, beyond: true, budget: 0},
	"minimal": {level: geminiapi.ThinkingLevelMinimal, budget: 1024},
	"low":     {level: geminiapi.ThinkingLevelLow, budget: 1024},
	"medium":  {level: geminiapi.ThinkingLevelMedium, budget: 8192},
	"high":    {level: geminiapi.ThinkingLevelHigh, budget: 24576},
	"xhigh":   {level: geminiapi.ThinkingLevelHigh, beyond: true, budget: 32768},
	"max":     {level: geminiapi.ThinkingLevelHigh, beyond: true, budget: mostThinking},
}

// tokens returns the nearest budget in the range. exact reports whether it is the requested one.
func (a amount) tokens(allowed *models.BudgetRange) (budget int, exact bool) {
	switch {
	case a.budget == mostThinking:
		return allowed.Max, true
	case allowed.Holds(a.budget):
		return a.budget, true
	}
	budget = min(max(a.budget, allowed.Min), allowed.Max)
	return budget, budget == a.budget
}
