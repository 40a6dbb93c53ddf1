package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/internal/thinking"
)

// setThinking sets how much the model thinks, and whether the answer includes thoughts. A model
// with thinking levels uses the effort, any other model the budget. If the request leaves the
// amount to the model, a model with levels gets no setting.
func (c *converter) setThinking() {
	if c.Config().ThinkingConfig != nil {
		c.loseThinking()
		return
	}
	wish := thinking.Wish{Request: &c.Request}
	hasLevels := len(c.Traits.Thinking.Levels) > 0
	setting := jsonx.Deref(c.in.Thinking)
	budgetFirst := setting.BudgetTokens != nil && !hasLevels
	if budgetFirst || isOff(setting.Type) {
		c.addSetting(&wish, hasLevels)
		c.addEffort(&wish)
	} else {
		c.addEffort(&wish)
		c.addSetting(&wish, hasLevels)
	}
	wish.Set()
}

// loseThinking handles a request whose extra_body has a thinking_config.
func (c *converter) loseThinking() {
	if c.in.Thinking != nil {
		c.Report.Add(report.Lost, "/thinking", target.DetailInExtraBody)
	}
	if jsonx.Deref(c.in.OutputConfig).Effort != nil {
		c.Report.Add(report.Lost, "/output_config/effort", target.DetailInExtraBody)
	}
}

// isOff reports whether a thinking type means no thinking before the answer. Gemini has no notes
// between calls.
func isOff(kind anthropicapi.ThinkingType) bool {
	return kind == anthropicapi.ThinkingTypeDisabled ||
		kind == anthropicapi.ThinkingTypeBetweenTools
}

func (c *converter) addEffort(w *thinking.Wish) {
	if effort := jsonx.Deref(c.in.OutputConfig).Effort; effort != nil {
		w.AddEffort("/output_config/effort", string(*effort))
	}
}

// addSetting adds the member thinking. The answer shows thoughts unless display says otherwise, as
// with Anthropic's older models.
func (c *converter) addSetting(w *thinking.Wish, hasLevels bool) {
	in := c.in.Thinking
	if in == nil {
		return
	}
	const pointer = "/thinking"
	c.LoseUnknown(pointer, in.Unknown)
	if in.BlockBinding != nil {
		c.Report.Add(report.Approximated, pointer+"/block_binding",
			"Gemini decides which thoughts it uses")
	}
	kind := in.Type
	switch kind {
	case anthropicapi.ThinkingTypeBetweenTools:
		c.Report.Add(report.Approximated, pointer+"/type",
			"converted to disabled, because Gemini makes no notes between calls")
		kind = anthropicapi.ThinkingTypeDisabled
	case anthropicapi.ThinkingTypeAdaptive:
		if hasLevels && in.BudgetTokens == nil { // such models decide how much they think
			c.show(w)
			return
		}
	case anthropicapi.ThinkingTypeEnabled, anthropicapi.ThinkingTypeDisabled:
	default:
		w.AddSetting(pointer, string(kind), in.BudgetTokens) // AddSetting reports it
		return
	}
	c.show(w)
	if in.Display == nil || isOff(kind) {
		w.AddSetting(pointer, string(kind), in.BudgetTokens)
		return
	}
	w.Enable(pointer + "/type")
	switch {
	case in.BudgetTokens != nil:
		w.AddTokens(pointer+"/budget_tokens", *in.BudgetTokens)
	case kind == anthropicapi.ThinkingTypeAdaptive && !w.HasAmount():
		w.AddTokens(pointer+"/type", thinking.AsMuchAsItLikes)
	}
}

// show sets whether the answer includes thoughts.
func (c *converter) show(w *thinking.Wish) {
	in := c.in.Thinking
	switch display := jsonx.Deref(in.Display); {
	case in.Display == nil:
		if in.Type == anthropicapi.ThinkingTypeAdaptive {
			w.Show("/thinking/type", true)
		}
	case display == anthropicapi.ThinkingDisplaySummarized:
		w.Show("/thinking/display", true)
	case display == anthropicapi.ThinkingDisplayOmitted:
		w.Show("/thinking/display", false)
	case display == anthropicapi.ThinkingDisplayUpdates:
		w.Show("/thinking/display", false)
		c.Report.Add(report.Approximated, "/thinking/display",
			"thoughts are omitted, because Gemini sends no updates about them")
	default:
		c.Report.Add(report.Lost, "/thinking/display", "must be summarized, omitted or updates")
	}
}
