package thinking

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// Wish is what the members of a request say about thinking: how much, and whether the answer holds
// the thoughts. The first that says something counts. [Wish.Set] sets it in the request.
type Wish struct {
	*target.Request
	amount   amount
	amountAt string // the pointer of what says how much, "" where nothing does
	shown    bool   // The answer is to hold the thoughts.
	shownAt  string // the pointer of what says so, or the opposite
}

// AddEffort adds an amount in a word, in whatever case it is written: Gemini's own levels are in
// capitals. Forms that were left blank send an empty one.
func (w *Wish) AddEffort(pointer, effort string) {
	asked, known := efforts[strings.ToLower(effort)]
	switch {
	case effort == "":
		w.Report.Add(report.Approximated, pointer, "empty, and left out")
	case !known:
		w.Report.Add(report.Lost, pointer, "not an effort that is known")
	default:
		w.addAmount(pointer, asked)
	}
}

// HasAmount reports whether a member has said how much the model is to think.
func (w *Wish) HasAmount() bool { return w.amountAt != "" }

// AddTokens adds an amount in tokens, 0 for none, and less for as much as the model likes.
func (w *Wish) AddTokens(pointer string, tokens int) {
	switch {
	case tokens == 0:
		w.AddEffort(pointer, "none")
		return
	case tokens < AsMuchAsItLikes:
		w.Report.Add(report.Approximated, pointer, "the model decides, as with -1")
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
			"another member says how much the model thinks, and counts more")
	}
}

// Enable reports a member that turns thinking on where another has turned it off.
func (w *Wish) Enable(pointer string) {
	if w.IsOff() {
		w.Report.Add(report.Lost, pointer, "another member turns thinking off, and counts more")
	}
}

// IsOff reports whether thinking is turned off.
func (w *Wish) IsOff() bool { return w.amountAt != "" && w.amount.budget == 0 }

// Show says whether the answer is to hold the thoughts.
func (w *Wish) Show(pointer string, shown bool) {
	switch {
	case w.shownAt == "":
		w.shown, w.shownAt = shown, pointer
	case w.shown != shown:
		w.Report.Add(report.Lost, pointer,
			"another member says whether the thoughts are shown, and counts more")
	}
}

// Set sets what was said. Gemini refuses to show the thoughts of a model that does not think.
func (w *Wish) Set() {
	if w.amountAt != "" {
		w.setAmount(w.amountAt, w.amount)
	}
	thinking := &w.Traits.Thinking
	switch {
	case w.shownAt == "":
	case w.IsOff() || thinking.Budget == nil && len(thinking.Levels) == 0:
		w.Report.Add(report.Approximated, w.shownAt,
			"says nothing, as there are no thoughts to show")
	case w.shown:
		if w.Config().ThinkingConfig == nil {
			w.Config().ThinkingConfig = &geminiapi.ThinkingConfig{}
		}
		w.Config().ThinkingConfig.IncludeThoughts = new(true)
	}
}
