package answer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/signature"
)

// thinks reports whether the model thinks before it answers: where it can, unless the budget is 0.
func (a *author) thinks() bool {
	traits := a.traits.Thinking
	c := a.config.ThinkingConfig
	isOff := c != nil && c.ThinkingBudget != nil && *c.ThinkingBudget == 0
	return (traits.Budget != nil || traits.Levels != nil) && !isOff
}

// thoughtTokens is what thinking costs: some tokens, never more than the budget, and of
// maxOutputTokens, which thoughts count against, never more than 19 of 20. In the recordings that
// thoughts cut short they are about as many.
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

// textTokens is how many tokens a text may have under maxOutputTokens. Thoughts may leave none: of
// 1 token the recorded answer has neither thoughts nor a text.
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

// thought is the summary of the thinking.
func (a *author) thought() geminiapi.Part {
	text := "**Reading the request**\n\nThe user said: " + quoted(a.prompt.text) + "\n\n"
	if a.prompt.results != nil {
		text = "**Reading the results**\n\n" + quotedResults(a.prompt.results) + "\n\n"
	}
	return geminiapi.Part{Text: &text, Thought: new(true)}
}

// sign gives the thought signature to one part: the first call, or without calls the last part.
// Models before Gemini 3 sign calls only.
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
