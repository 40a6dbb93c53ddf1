package requestcheck

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// checkThinkingConfig allows a budget or a level, whichever the model accepts, but never both.
func (v *checker) checkThinkingConfig(at *codec.Location, c *geminiapi.ThinkingConfig) {
	hasLevel := c.ThinkingLevel != nil &&
		!isEnum(c.ThinkingLevel, geminiapi.ThinkingLevelUnspecified)
	if hasLevel && c.ThinkingBudget != nil {
		v.report(at, ruleOneMember, "",
			"holds thinkingBudget and thinkingLevel; must hold one of them")
	}
	if v.traits != nil && hasLevel {
		v.thinkingLevel(at, *c.ThinkingLevel)
	}
	if v.traits != nil && c.ThinkingBudget != nil {
		v.thinkingBudget(at, *c.ThinkingBudget)
	}
}

func (v *checker) thinkingLevel(config *codec.Location, level geminiapi.ThinkingLevel) {
	known := geminiapi.ThinkingLevel(strings.ToUpper(string(level)))
	levels := v.traits.Thinking.Levels
	if !known.Valid() || slices.Contains(levels, known) {
		return // an invalid level has already been reported
	}
	message := v.modelName() + " does not accept thinkingLevel"
	switch {
	case len(levels) > 0:
		message += " " + string(known) + "; must be one of " + joinLevels(levels)
	case v.traits.Thinking.Budget != nil:
		message += "; set thinkingBudget"
	}
	v.reportMember(config, "thinkingLevel", ruleModel, shortString(string(level)), message)
}

func joinLevels(levels []geminiapi.ThinkingLevel) string {
	names := make([]string, len(levels))
	for i, level := range levels {
		names[i] = string(level)
	}
	return strings.Join(names, ", ")
}

func (v *checker) thinkingBudget(config *codec.Location, budget int) {
	tokens := v.traits.Thinking.Budget
	if v.takesBudget(budget) {
		return
	}
	text := strconv.Itoa(budget)
	message := v.modelName() + " does not accept thinkingBudget"
	switch {
	case tokens != nil:
		message = text + " is out of range for " + v.modelName() + "; must be from " +
			strconv.Itoa(tokens.Min) + " to " + strconv.Itoa(tokens.Max)
		if tokens.CanBeOff {
			message += ", 0 to turn thinking off"
		}
		message += ", or -1 to let the model decide"
	case len(v.traits.Thinking.Levels) > 0:
		message += "; set thinkingLevel"
	}
	v.reportMember(config, "thinkingBudget", ruleModel, text, message)
}

// takesBudget reports whether the model accepts a budget, or is not known to refuse it.
func (v *checker) takesBudget(budget int) bool {
	thinking := &v.traits.Thinking
	switch tokens := thinking.Budget; {
	case tokens == nil:
		return thinking.BudgetUntested
	case budget == 0:
		return tokens.CanBeOff || tokens.OffUntested
	default:
		return tokens.Holds(budget) || tokens.Assumed && budget > 0
	}
}

// modelName names the model in a message, and the model that answers instead.
func (v *checker) modelName() string {
	name := shownName(v.model.Asked)
	if v.model.Name != v.model.Asked {
		name = v.model.Name + ", which answers for " + name + ","
	}
	return name
}

func shownName(name string) string {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c > '~' {
			return quote(name)
		}
	}
	return cutText(name)
}
