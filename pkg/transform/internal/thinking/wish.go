package thinking

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// Wish collects what the members of a request say about thinking: how much, and whether the answer
// includes thoughts. The first value counts. [Wish.Set] sets it in the request.
type Wish struct {
	*target.Request
	amount   amount
	amountAt string // the pointer of the member that sets the amount, or ""
	shown    bool   // The answer includes the thoughts.
	shownAt  string // the pointer of the member that sets shown, or ""
}

// AddEffort adds an amount in a word, in any case, because Gemini's own levels are in capitals. An
// empty word is ignored; user interfaces send it for empty fields.
func (w *Wish) AddEffort(pointer, effort string) {
	asked, known := efforts[strings.ToLower(effort)]
	switch {
	case effort == "":
		w.Report.Add(report.Approximated, pointer, "omitted, because it is empty")
	case !known:
		w.Report.Add(report.Lost, pointer, "unknown effort")
	default:
		w.addAmount(pointer, asked)
	}
}

// HasAmount reports whether a member has set how much the model thinks.
func (w *Wish) HasAmount() bool { return w.amountAt != "" }

// AddTokens adds an amount in tokens. 0 turns thinking off, and a negative amount lets the model
// decide.
func (w *Wish) AddTokens(pointer string, tokens int) {
	switch {
	case tokens == 0:
		w.AddEffort(pointer, "none")
		return
	case tokens < AsMuchAsItLikes:
		w.Report.Add(report.Approximated, pointer, "read as -1, so the model decides")
		tokens = AsMuchAsItLikes
	}
	w.addAmount(pointer, amount{budget: tokens})
}

func (w *Wish) addAmount(pointer string, asked amount) {
	switch {
	case w.amountAt == "":
		w.amount, w.amountAt = asked, pointer
	case w.amount != asked:
		w.Report.Add(report.Lost, pointer,
			"another member that takes precedence sets how much the model thinks")
	}
}

// Enable reports a member that enables thinking although another one has disabled it.
func (w *Wish) Enable(pointer string) {
	if w.IsOff() {
		w.Report.Add(report.Lost, pointer, "another member that takes precedence turns thinking off")
	}
}

// IsOff reports whether thinking is disabled.
func (w *Wish) IsOff() bool { return w.amountAt != "" && w.amount.budget == 0 }

// Show sets whether the answer includes thoughts.
func (w *Wish) Show(pointer string, shown bool) {
	switch {
	case w.shownAt == "":
		w.shown, w.shownAt = shown, pointer
	case w.shown != shown:
		w.Report.Add(report.Lost, pointer,
			"another member that takes precedence sets whether thoughts are shown")
	}
}

// Set applies the settings. Gemini refuses to show the thoughts of a model that does not think.
func (w *Wish) Set() {
	if w.amountAt != "" {
		w.setAmount(w.amountAt, w.amount)
	}
	thinking := &w.Traits.Thinking
	switch {
	case w.shownAt == "":
	case w.IsOff() || thinking.Budget == nil && len(thinking.Levels) == 0:
		w.Report.Add(report.Approximated, w.shownAt,
			"no effect, because there are no thoughts to show")
	case w.shown:
		if w.Config().ThinkingConfig == nil {
			w.Config().ThinkingConfig = &geminiapi.ThinkingConfig{}
		}
		w.Config().ThinkingConfig.IncludeThoughts = new(true)
	}
}
