package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

const thinkingPointer = configPointer + "/thinkingConfig"

// setThinking sets how much the model thinks. The extensions have Gemini's own setting. No effort
// is allowed together with it.
func (c *converter) setThinking() {
	if c.config.ThinkingConfig == nil || !c.plain {
		return
	}
	rest := *c.config.ThinkingConfig
	switch {
	case rest.ThinkingLevel != nil:
		if effort, known := levelEfforts[*rest.ThinkingLevel]; known {
			c.out.ReasoningEffort, rest.ThinkingLevel = &effort, nil
		}
	case rest.ThinkingBudget != nil:
		c.setBudget(*rest.ThinkingBudget)
		rest.ThinkingBudget = nil
	}
	if rest.IncludeThoughts != nil {
		c.report.Add(report.Approximated, thinkingPointer+"/includeThoughts",
			"not part of Gemini's request; it is for the conversion of the answer; servers decide whether to show thoughts")
		rest.IncludeThoughts = nil
	}
	c.config.ThinkingConfig = &rest
}

// levelEfforts maps thinking levels to efforts. It is never modified.
var levelEfforts = map[geminiapi.ThinkingLevel]openaiapi.ReasoningEffort{
	geminiapi.ThinkingLevelMinimal: openaiapi.ReasoningEffortMinimal,
	geminiapi.ThinkingLevelLow:     openaiapi.ReasoningEffortLow,
	geminiapi.ThinkingLevelMedium:  openaiapi.ReasoningEffortMedium,
	geminiapi.ThinkingLevelHigh:    openaiapi.ReasoningEffortHigh,
}

// setBudget sets the effort with the nearest budget. Any budget above zero is at least a low
// effort. With -1 the model decides, as it does without an effort.
func (c *converter) setBudget(budget int) {
	const pointer = thinkingPointer + "/thinkingBudget"
	if budget < 0 {
		c.report.Add(report.Approximated, pointer,
			"omitted, because without an effort the model decides how much it thinks")
		return
	}
	nearest := thinking.NearestTo(budget)
	if nearest.Budget != budget {
		c.report.Add(report.Approximated, pointer,
			"converted to the nearest effort, because OpenAI has no token budgets for thinking")
	}
	c.out.ReasoningEffort = new(openaiapi.ReasoningEffort(nearest.Effort))
}
