package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// setThinking sets how much the model thinks, and whether the answer holds its thoughts. OpenAI has reasoning_effort
// for it; clients of other servers use members of theirs on the same wire.
func (c *converter) setThinking() error {
	if c.config().ThinkingConfig != nil {
		return c.loseThinking()
	}
	wish := thinkingWish{converter: c}
	if c.in.ReasoningEffort != nil {
		wish.addEffort("/reasoning_effort", *c.in.ReasoningEffort)
	}
	if c.in.Reasoning != nil {
		wish.addReasoning(c.in.Reasoning)
	}
	if c.in.Thinking != nil {
		wish.addThinking(c.in.Thinking)
	}
	wish.addEnableThinking()
	wish.set()
	return nil
}

// loseThinking is for a request whose extra_body has a thinking_config. Google's own endpoint refuses an effort
// beside it; the members that it does not know count less.
func (c *converter) loseThinking() error {
	visitMembersOfCreateChatCompletionRequest(c.in, func(name string) {
		switch name {
		case "reasoning", "thinking", "enable_thinking", "thinking_budget":
			c.report.Add(transform.Lost, "/"+name, detailInExtraBody)
		}
	})
	switch effort := c.in.ReasoningEffort; {
	case effort == nil:
	case *effort != "":
		return &Error{Pointer: "/reasoning_effort", Problem: "excludes thinking_config of extra_body.google; one of them must go"}
	default:
		c.report.Add(transform.Approximated, "/reasoning_effort", detailEmpty)
	}
	return nil
}

// thinkingWish is what the members of a request say about thinking. The first that says something counts.
type thinkingWish struct {
	*converter
	amount   thinkingAmount
	amountAt string // the pointer of what says how much, "" where nothing does
	shown    bool   // The answer is to hold the thoughts.
	shownAt  string // the pointer of what says so, or the opposite
}

// addReasoning reads OpenRouter's form (openrouter.ai/docs/use-cases/reasoning-tokens). The answer holds the thoughts
// unless they are excluded.
func (w *thinkingWish) addReasoning(in *openaiapi.ReasoningOptions) {
	const pointer = "/reasoning"
	w.loseUnknown(pointer, in.Unknown)
	if in.Enabled != nil && !*in.Enabled {
		w.addEffort(pointer+"/enabled", openaiapi.ReasoningEffortNone)
	}
	if in.Effort != nil {
		w.addEffort(pointer+"/effort", *in.Effort)
	}
	if in.MaxTokens != nil {
		w.addTokens(pointer+"/max_tokens", *in.MaxTokens)
	}
	if optional.Value(in.Enabled) {
		w.enable(pointer + "/enabled")
		if w.amountAt == "" {
			w.addEffort(pointer+"/enabled", openaiapi.ReasoningEffortMedium)
		}
	}
	shownAt := pointer
	if in.Exclude != nil {
		shownAt += "/exclude"
	}
	w.show(shownAt, !optional.Value(in.Exclude))
}

// addThinking reads Anthropic's form, which DeepSeek, Z.ai and LiteLLM take on this wire. They answer with the thoughts.
func (w *thinkingWish) addThinking(in *openaiapi.ThinkingOptions) {
	const pointer = "/thinking"
	w.loseUnknown(pointer, in.Unknown)
	typeAt := pointer
	if in.Type != "" {
		typeAt += "/type"
	}
	switch typeOfThinking(in) {
	case openaiapi.ThinkingTypeDisabled:
		w.addEffort(typeAt, openaiapi.ReasoningEffortNone)
	case openaiapi.ThinkingTypeEnabled, openaiapi.ThinkingTypeAdaptive, openaiapi.ThinkingTypeAuto:
		w.enable(pointer + "/type")
		w.show(typeAt, true)
	default:
		w.report.Add(transform.Lost, typeAt, "not enabled, disabled, adaptive or auto")
	}
	switch {
	case in.BudgetTokens != nil:
		w.addTokens(pointer+"/budget_tokens", *in.BudgetTokens)
	case w.amountAt == "" && (in.Type == openaiapi.ThinkingTypeAdaptive || in.Type == openaiapi.ThinkingTypeAuto):
		w.addTokens(typeAt, asMuchAsItLikes)
	}
}

// typeOfThinking returns the type, which says nothing new where there is a number of tokens.
func typeOfThinking(in *openaiapi.ThinkingOptions) openaiapi.ThinkingType {
	switch {
	case in.Type != "" || in.BudgetTokens == nil:
		return in.Type
	case *in.BudgetTokens == 0:
		return openaiapi.ThinkingTypeDisabled
	default:
		return openaiapi.ThinkingTypeEnabled
	}
}

// addEnableThinking reads Qwen's form.
func (w *thinkingWish) addEnableThinking() {
	const pointer = "/enable_thinking"
	switch enabled := w.in.EnableThinking; {
	case enabled == nil:
	case *enabled:
		w.enable(pointer)
		w.show(pointer, true)
	default:
		w.addEffort(pointer, openaiapi.ReasoningEffortNone)
	}
	if w.in.ThinkingBudget != nil {
		w.addTokens("/thinking_budget", *w.in.ThinkingBudget)
	}
}

// addEffort adds an amount in a word, in whatever case it is written: Gemini's own levels are in capitals. Forms that were left blank send an empty one.
func (w *thinkingWish) addEffort(pointer string, effort openaiapi.ReasoningEffort) {
	amount, known := efforts[openaiapi.ReasoningEffort(strings.ToLower(string(effort)))]
	switch {
	case effort == "":
		w.report.Add(transform.Approximated, pointer, detailEmpty)
	case !known:
		w.report.Add(transform.Lost, pointer, "not an effort that is known")
	default:
		w.addAmount(pointer, amount)
	}
}

// addTokens adds an amount in tokens, 0 for none, and less for as much as the model likes.
func (w *thinkingWish) addTokens(pointer string, tokens int) {
	switch {
	case tokens == 0:
		w.addEffort(pointer, openaiapi.ReasoningEffortNone)
		return
	case tokens < asMuchAsItLikes:
		w.report.Add(transform.Approximated, pointer, "the model decides, as with -1")
		tokens = asMuchAsItLikes
	}
	w.addAmount(pointer, thinkingAmount{budget: tokens})
}

func (w *thinkingWish) addAmount(pointer string, amount thinkingAmount) {
	switch {
	case w.amountAt == "":
		w.amount, w.amountAt = amount, pointer
	case w.amount != amount:
		w.report.Add(transform.Lost, pointer, "another member says how much the model thinks, and counts more")
	}
}

// enable reports a member that turns thinking on where another has turned it off.
func (w *thinkingWish) enable(pointer string) {
	if w.isOff() {
		w.report.Add(transform.Lost, pointer, "another member turns thinking off, and counts more")
	}
}

func (w *thinkingWish) isOff() bool { return w.amountAt != "" && w.amount.budget == 0 }

// show says whether the answer is to hold the thoughts.
func (w *thinkingWish) show(pointer string, shown bool) {
	switch {
	case w.shownAt == "":
		w.shown, w.shownAt = shown, pointer
	case w.shown != shown:
		w.report.Add(transform.Lost, pointer, "another member says whether the thoughts are shown, and counts more")
	}
}

// set sets what was said. Gemini refuses to show the thoughts of a model that does not think.
func (w *thinkingWish) set() {
	if w.amountAt != "" {
		w.setAmount(w.amountAt, w.amount)
	}
	thinking := &w.traits.Thinking
	switch {
	case w.shownAt == "":
	case w.isOff() || thinking.Budget == nil && len(thinking.Levels) == 0:
		w.report.Add(transform.Approximated, w.shownAt, "says nothing, as there are no thoughts to show")
	case w.shown:
		if w.config().ThinkingConfig == nil {
			w.config().ThinkingConfig = &geminiapi.ThinkingConfig{}
		}
		w.config().ThinkingConfig.IncludeThoughts = new(true)
	}
}
