package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/transform"
)

// setEffort sets how much the model thinks: by a level from Gemini 3 on, by a budget of tokens on 2.5. The
// budgets are those of Google's own endpoint for this wire, and not [models.BudgetRange.Tokens], which is for
// programs that ask for an amount without an endpoint to follow.
// Like Google's own endpoint it asks for no thoughts in the answer; extra_body.google.thinking_config
// does, in place of an effort.
func (c *converter) setEffort() error {
	const pointer = "/reasoning_effort"
	if c.in.ReasoningEffort == nil || *c.in.ReasoningEffort == "" {
		return nil
	}
	if c.config().ThinkingConfig != nil {
		return &Error{Pointer: pointer, Problem: "excludes thinking_config of extra_body.google; one of them must go"}
	}
	effort := *c.in.ReasoningEffort
	amount, known := efforts[effort]
	thinking := &c.traits.Thinking
	switch {
	case !known:
		c.report.Add(transform.Lost, pointer, "not an effort that is known")
	case len(thinking.Levels) > 0:
		level := thinking.NearestLevel(amount.level)
		c.config().ThinkingConfig = &geminiapi.ThinkingConfig{ThinkingLevel: &level}
		c.reportEffort(effort, level == amount.level && !amount.beyond)
	case thinking.Budget != nil:
		budget, exact := amount.tokens(thinking.Budget)
		c.config().ThinkingConfig = &geminiapi.ThinkingConfig{ThinkingBudget: &budget}
		c.reportEffort(effort, exact)
	case effort == openaiapi.ReasoningEffortNone:
		c.report.Add(transform.Approximated, pointer, "says nothing, as the model never thinks")
	default:
		c.report.Add(transform.Lost, pointer, "the model does not think")
	}
	return nil
}

func (c *converter) reportEffort(effort openaiapi.ReasoningEffort, exact bool) {
	switch {
	case exact:
	case effort == openaiapi.ReasoningEffortNone:
		c.report.Add(transform.Approximated, "/reasoning_effort", "the model always thinks; it does as little as it can")
	default:
		c.report.Add(transform.Approximated, "/reasoning_effort", "the nearest that the model can be set to")
	}
}

// thinkingAmount is an effort in the two measures of Gemini's.
type thinkingAmount struct {
	// level is the nearest of all levels.
	level geminiapi.ThinkingLevel
	// beyond is true when the effort lies beyond the lowest or the highest level.
	beyond bool
	// budget is a number of tokens, mostThinking for all that there are.
	budget int
}

// mostThinking is a budget of as much thinking as any model has.
const mostThinking = 1 << 30

// efforts are the amounts of the efforts. The budgets of minimal to high are those of Google's own
// endpoint (ai.google.dev/gemini-api/docs/openai, "Thinking"); more than high is the most that any
// model takes. It is never written to.
var efforts = map[openaiapi.ReasoningEffort]thinkingAmount{
	openaiapi.ReasoningEffortNone:    {level: geminiapi.ThinkingLevelMinimal, beyond: true, budget: 0},
	openaiapi.ReasoningEffortMinimal: {level: geminiapi.ThinkingLevelMinimal, budget: 1024},
	openaiapi.ReasoningEffortLow:     {level: geminiapi.ThinkingLevelLow, budget: 1024},
	openaiapi.ReasoningEffortMedium:  {level: geminiapi.ThinkingLevelMedium, budget: 8192},
	openaiapi.ReasoningEffortHigh:    {level: geminiapi.ThinkingLevelHigh, budget: 24576},
	openaiapi.ReasoningEffortXHigh:   {level: geminiapi.ThinkingLevelHigh, beyond: true, budget: 32768},
	openaiapi.ReasoningEffortMax:     {level: geminiapi.ThinkingLevelHigh, budget: mostThinking},
}

// tokens returns the nearest budget in the range, and whether it is the one that was meant.
func (a thinkingAmount) tokens(allowed *models.BudgetRange) (budget int, exact bool) {
	switch {
	case a.budget == mostThinking:
		return allowed.Max, true
	case a.budget == 0 && allowed.CanBeOff:
		return 0, true
	}
	budget = min(max(a.budget, allowed.Min), allowed.Max)
	return budget, budget == a.budget
}
