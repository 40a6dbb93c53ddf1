package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/signature"
)

// thinks reports whether the model thinks before it answers: if it can, and the budget is not 0.
func (a *author) thinks() bool {
	traits := a.traits.Thinking
	c := a.config.ThinkingConfig
	isOff := c != nil && c.ThinkingBudget != nil && *c.ThinkingBudget == 0
	return (traits.Budget != nil || traits.Levels != nil) && !isOff
}

// thoughtTokens returns the tokens for thoughts: a few, and at most the budget. Thoughts count
// against maxOutputTokens and take at most 19/20 of it. In recordings where thoughts used up the
// limit, the part is similar.
func (a *author) thoughtTokens() int {
	if !a.thinks() || a.prompt.blockReason != "" {
		return 0
	}
	count := 20 + a.seed.number("thoughts", 100)
	if c := a.config.ThinkingConfig; c != nil && c.ThinkingBudget != nil && *c.ThinkingBudget > 0 {
		count = min(count, *c.ThinkingBudget)
	}
	if most := a.config.MaxOutputTokens; most != nil && *most > 0 {
		count = min(count, *most*19/20)
	}
	return count
}

// textTokens returns the maximum number of tokens of a text under maxOutputTokens. Thoughts may
// leave no tokens: with a maximum of 1, the recorded answer has neither thoughts nor a text.
func (a *author) textTokens(most int) int {
	thoughts := a.thoughtTokens()
	if thoughts == most*19/20 && a.thinks() {
		return most / 20
	}
	return most - thoughts
}

func (a *author) showsThoughts() bool {
	c := a.config.ThinkingConfig
	return a.thinks() && c != nil && c.IncludeThoughts != nil && *c.IncludeThoughts
}

// thought returns the summary of the thoughts.
func (a *author) thought() geminiapi.Part {
	text := "**Reading the request**\n\nThe user said: " + quoted(a.prompt.text) + "\n\n"
	if a.prompt.results != nil {
		text = "**Reading the results**\n\n" + quotedResults(a.prompt.results) + "\n\n"
	}
	return geminiapi.Part{Text: &text, Thought: new(true)}
}

// sign adds the thought signature to one part: the first call, or without calls the last part.
// Models before Gemini 3 sign only calls.
func (a *author) sign(parts []geminiapi.Part) {
	if !a.thinks() || len(parts) == 0 {
		return
	}
	signed := &parts[len(parts)-1]
	for i := range parts {
		if parts[i].FunctionCall != nil {
			signed = &parts[i]
			break
		}
	}
	if signed.FunctionCall == nil && !a.isGemini3 {
		return
	}
	signed.ThoughtSignature = new(signature.Make(signed, a.seed[:], a.isGemini3))
}
