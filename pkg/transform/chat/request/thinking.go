package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

// setThinking sets how much the model thinks, and whether the answer includes thoughts. OpenAI has
// reasoning_effort for it. Clients of other servers use other members in the same API.
func (c *converter) setThinking() error {
	if c.Config().ThinkingConfig != nil {
		return c.loseThinking()
	}
	wish := thinking.Wish{Request: &c.Request}
	if c.in.ReasoningEffort != nil {
		wish.AddEffort("/reasoning_effort", string(*c.in.ReasoningEffort))
	}
	if c.in.Reasoning != nil {
		c.addReasoning(&wish, c.in.Reasoning)
	}
	if c.in.Thinking != nil {
		c.LoseUnknown("/thinking", c.in.Thinking.Unknown)
		wish.AddSetting("/thinking", string(c.in.Thinking.Type), c.in.Thinking.BudgetTokens)
	}
	c.addEnableThinking(&wish)
	wish.Set()
	return nil
}

// loseThinking handles a request whose extra_body has a thinking_config. Google's own endpoint
// refuses an effort together with it. The members that Google's endpoint does not know have lower
// precedence.
func (c *converter) loseThinking() error {
	visitMembersOfCreateChatCompletionRequest(c.in, func(name string) {
		switch name {
		case "reasoning", "thinking", "enable_thinking", "thinking_budget":
			c.Report.Add(report.Lost, "/"+name, target.DetailInExtraBody)
		}
	})
	switch effort := c.in.ReasoningEffort; {
	case effort == nil:
	case *effort != "":
		return &refusal.Error{Pointer: "/reasoning_effort",
			Problem: "must not be combined with thinking_config of extra_body.google; remove one of them"}
	default:
		c.Report.Add(report.Approximated, "/reasoning_effort", detailEmpty)
	}
	return nil
}

// addReasoning reads OpenRouter's form (openrouter.ai/docs/use-cases/reasoning-tokens). The answer
// includes the thoughts unless they are excluded.
func (c *converter) addReasoning(w *thinking.Wish, in *openaiapi.ReasoningOptions) {
	const pointer = "/reasoning"
	c.LoseUnknown(pointer, in.Unknown)
	if in.Enabled != nil && !*in.Enabled {
		w.AddEffort(pointer+"/enabled", "none")
	}
	if in.Effort != nil {
		w.AddEffort(pointer+"/effort", string(*in.Effort))
	}
	if in.MaxTokens != nil {
		w.AddTokens(pointer+"/max_tokens", *in.MaxTokens)
	}
	if jsonx.Deref(in.Enabled) {
		w.Enable(pointer + "/enabled")
		if !w.HasAmount() {
			w.AddEffort(pointer+"/enabled", "medium")
		}
	}
	shownAt := pointer
	if in.Exclude != nil {
		shownAt += "/exclude"
	}
	w.Show(shownAt, !jsonx.Deref(in.Exclude))
}

// addEnableThinking reads Qwen's form.
func (c *converter) addEnableThinking(w *thinking.Wish) {
	const pointer = "/enable_thinking"
	switch enabled := c.in.EnableThinking; {
	case enabled == nil:
	case *enabled:
		w.Enable(pointer)
		w.Show(pointer, true)
	default:
		w.AddEffort(pointer, "none")
	}
	if c.in.ThinkingBudget != nil {
		w.AddTokens("/thinking_budget", *c.in.ThinkingBudget)
	}
}
