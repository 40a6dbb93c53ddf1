package request

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

const configPointer = "/generationConfig"

// setGeneration sets how the answer is generated. Each step removes what it sets from the
// configuration. An agent has no such settings.
func (c *converter) setGeneration() error {
	c.dropNeutral()
	if c.out.Agent != nil {
		c.setAgentThinking()
		if !c.generation.ToolChoice.IsZero() {
			c.report.Add(report.Lost, callingPointer, "an agent has no choice of tools")
		}
		return nil
	}
	move(&c.config.MaxOutputTokens, &c.generation.MaxOutputTokens)
	move(&c.config.Seed, &c.generation.Seed)
	c.generation.StopSequences, c.config.StopSequences = c.config.StopSequences, nil
	move(&c.config.Temperature, &c.generation.Temperature)
	move(&c.config.TopP, &c.generation.TopP)
	if c.config.TopK != nil {
		c.report.Add(report.Approximated, configPointer+"/topK",
			"sent, although Google does not document it for interactions")
		move(&c.config.TopK, &c.generation.TopK)
	}
	c.setThinking()
	c.setSpeech()
	c.setTranscription()
	if !c.generation.IsEmpty() {
		c.out.GenerationConfig = &c.generation
	}
	return nil
}

// move moves a value from one member to another.
func move[T any](from, to **T) { *to, *from = *from, nil }

// dropNeutral reports settings that ask for what an interaction does anyway.
func (c *converter) dropNeutral() {
	neutral := func(name, detail string) {
		c.report.Add(report.Approximated, configPointer+"/"+name, detail)
	}
	if n := c.config.CandidateCount; n != nil && *n <= 1 {
		neutral("candidateCount", "omitted, because an interaction has one answer")
		c.config.CandidateCount = nil
	}
	const detailNoPenalty = "omitted, because an interaction has no penalties"
	if p := c.config.PresencePenalty; p != nil && *p == 0 {
		neutral("presencePenalty", detailNoPenalty)
		c.config.PresencePenalty = nil
	}
	if p := c.config.FrequencyPenalty; p != nil && *p == 0 {
		neutral("frequencyPenalty", detailNoPenalty)
		c.config.FrequencyPenalty = nil
	}
	if p := c.config.ResponseLogprobs; p != nil && !*p {
		neutral("responseLogprobs", "omitted, because an interaction has no log probabilities")
		c.config.ResponseLogprobs = nil
	}
}

const thinkingPointer = configPointer + "/thinkingConfig"

// setThinking sets how much the model thinks, and whether the answer includes thoughts. An
// interaction has levels and no budgets.
func (c *converter) setThinking() {
	if c.config.ThinkingConfig == nil {
		return
	}
	rest := *c.config.ThinkingConfig
	if rest.IncludeThoughts != nil {
		c.generation.ThinkingSummaries = summaries(*rest.IncludeThoughts)
		rest.IncludeThoughts = nil
	}
	if rest.ThinkingLevel != nil {
		const at = thinkingPointer + "/thinkingLevel"
		if word, ok := c.word(at, string(*rest.ThinkingLevel), ""); ok {
			c.generation.ThinkingLevel = new(interactionsapi.ThinkingLevel(word))
		}
		rest.ThinkingLevel = nil
	}
	if rest.ThinkingBudget != nil && c.generation.ThinkingLevel == nil {
		c.setBudget(*rest.ThinkingBudget)
		rest.ThinkingBudget = nil
	}
	c.loseRest(thinkingPointer, &rest)
	c.config.ThinkingConfig = nil
}

// summaries returns whether there are summaries of thoughts.
func summaries(included bool) *interactionsapi.ThinkingSummaries {
	if included {
		return new(interactionsapi.ThinkingSummariesAuto)
	}
	return new(interactionsapi.ThinkingSummariesNone)
}

// setBudget sets the level with the nearest budget that the model knows. Any budget above zero is
// at least low. With -1 the model decides, as it does without a level.
func (c *converter) setBudget(budget int) {
	const pointer = thinkingPointer + "/thinkingBudget"
	if budget < 0 {
		c.report.Add(report.Approximated, pointer,
			"omitted, because without a level the model decides how much it thinks")
		return
	}
	level := thinking.NearestTo(budget).Level
	if len(c.traits.Thinking.Levels) > 0 {
		level = c.traits.Thinking.NearestLevel(level)
	}
	c.report.Add(report.Approximated, pointer,
		"converted to the nearest level, because an interaction has no token budgets for thinking")
	word, _ := c.word(pointer, string(level), "")
	c.generation.ThinkingLevel = new(interactionsapi.ThinkingLevel(word))
}

// setAgentThinking sets whether deep research shows summaries of its thoughts. It is the only agent
// with such a setting.
func (c *converter) setAgentThinking() {
	included := jsonx.Deref(c.config.ThinkingConfig).IncludeThoughts
	if included == nil || !c.isAgentOf(interactions.AgentDeepResearch) {
		return
	}
	c.out.AgentConfig = &interactionsapi.AgentConfig{
		Type:              new(interactionsapi.AgentTypeDeepResearch),
		ThinkingSummaries: summaries(*included)}
	rest := *c.config.ThinkingConfig
	rest.IncludeThoughts = nil
	c.config.ThinkingConfig = &rest
}
