package thinking

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
)

// setAmount sets how much the model thinks: by a level from Gemini 3 on, by a budget of tokens on
// 2.5. The budgets of efforts are those of Google's own endpoint for chat_completions, and not
// [models.BudgetRange.Tokens], which is for programs that ask for an amount without an endpoint to
// follow. Like Google's own endpoint an effort asks for no thoughts in the answer.
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
		w.Report.Add(report.Lost, pointer, "the model cannot be set to a number of tokens")
	case asked.budget == 0:
		w.Report.Add(report.Approximated, pointer, "says nothing, as the model never thinks")
	default:
		w.Report.Add(report.Lost, pointer, "the model does not think")
	}
}

func (w *Wish) reportAmount(pointer string, asked amount, exact bool) {
	switch {
	case exact:
	case asked.budget == 0:
		w.Report.Add(report.Approximated, pointer,
			"the model always thinks; it does as little as it can")
	default:
		w.Report.Add(report.Approximated, pointer, "the nearest that the model can be set to")
	}
}

// amount is an effort in both measures of Gemini's, level and budget, or a number of tokens.
type amount struct {
	// level is the nearest of all levels, "" for a number of tokens.
	level geminiapi.ThinkingLevel
	// beyond is true when the effort lies beyond the lowest or the highest level.
	beyond bool
	// budget is a number of tokens.
	budget int
}

const (
	// mostThinking is a budget of as much thinking as any model has.
	mostThinking = 1 << 30
	// AsMuchAsItLikes is the budget by which Gemini lets the model decide.
	AsMuchAsItLikes = -1
)

// efforts are the amounts of the efforts. The budgets of minimal to high are those of Google's own
// endpoint (ai.google.dev/gemini-api/docs/openai, "Thinking"); more than high is the most that any
// model takes. It is never written to.
var efforts = map[string]amount{
	"none":    {level: geminiapi.ThinkingLevelMinimal, beyond: true, budget: 0},
	"minimal": {level: geminiapi.ThinkingLevelMinimal, budget: 1024},
	"low":     {level: geminiapi.ThinkingLevelLow, budget: 1024},
	"medium":  {level: geminiapi.ThinkingLevelMedium, budget: 8192},
	"high":    {level: geminiapi.ThinkingLevelHigh, budget: 24576},
	"xhigh":   {level: geminiapi.ThinkingLevelHigh, beyond: true, budget: 32768},
	"max":     {level: geminiapi.ThinkingLevelHigh, beyond: true, budget: mostThinking},
}

// tokens returns the nearest budget in the range, and whether it is the one that was meant.
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
