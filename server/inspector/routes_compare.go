package inspector

import (
	"cmp"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/server/inspector/internal/dialogue"
	"github.com/gemwire/gemwire/server/inspector/internal/textdiff"
	"github.com/go-json-experiment/json/jsontext"
)

// comparison is the difference of two answers in the page's format.
type comparison struct {
	Sides [2]comparedSide  `json:"sides"`
	Text  []textdiff.Piece `json:"text"`
	Calls []callPair       `json:"calls"`
}

// comparedSide is one of the answers.
type comparedSide struct {
	Number     int            `json:"number"`
	Model      string         `json:"model"`
	Text       string         `json:"text"`
	Calls      []comparedCall `json:"calls"`
	Tokens     tokens         `json:"tokens"`
	Cost       *cost          `json:"cost"`
	Duration   float64        `json:"duration"`
	FirstToken float64        `json:"firstToken"`
	Losses     int            `json:"losses"`
	Finish     string         `json:"finish"`
	Status     int            `json:"status"`
	Running    bool           `json:"running"`
	Failure    string         `json:"failure"`
	Error      string         `json:"error"`
	Note       string         `json:"note"` // why the text is missing, or ""
}

// comparedCall is a call of a function.
type comparedCall struct {
	Name string         `json:"name"`
	Args jsontext.Value `json:"args"`
}

// callPair are the indexes of a call in both answers, -1 for none.
type callPair struct {
	Left   int  `json:"left"`
	Right  int  `json:"right"`
	IsSame bool `json:"same"`
}

// compare answers with two exchanges side by side.
func (i *Inspector) compare(w http.ResponseWriter, r *http.Request) {
	var c comparison
	for n, name := range []string{"a", "b"} {
		number, err := strconv.Atoi(r.PathValue(name))
		kept, ok := i.store.snapshot(number)
		if err != nil || !ok {
			refuse(w, http.StatusNotFound, "this exchange was dropped")
			return
		}
		c.Sides[n] = kept.compared(i.store.groups)
		// A secret must go before the texts are cut into pieces.
		c.Sides[n].Text = i.retain.joined(c.Sides[n].Text)
	}
	c.Text = textdiff.Of(c.Sides[0].Text, c.Sides[1].Text)
	if c.Text == nil {
		c.Text = []textdiff.Piece{}
	}
	c.Calls = pairs(c.Sides[0].Calls, c.Sides[1].Calls)
	i.writeBlanked(w, c)
}

// compared returns an exchange for a comparison.
func (r *record) compared(g *groups) comparedSide {
	s := r.summary(g)
	view := dialogue.Of(r.talk())
	side := comparedSide{
		Number: s.Number, Model: cmp.Or(s.UpModel, s.Model), Text: view.ReplyText(),
		Calls: []comparedCall{}, Tokens: s.Tokens, Cost: s.Cost, Duration: s.Duration,
		FirstToken: s.FirstToken, Losses: s.Lost, Finish: s.FinishReason, Status: s.Status,
		Running: s.Running, Failure: string(r.failure()), Error: s.Error.Message, Note: view.Note,
	}
	for _, call := range view.Calls() {
		args := jsontext.Value(call.JSON)
		if !args.IsValid() {
			args = jsontext.Value("{}")
		}
		side.Calls = append(side.Calls, comparedCall{call.Name, args})
	}
	return side
}

// pairs pairs the calls of two answers: equal calls first, then calls of the same function.
func pairs(left, right []comparedCall) []callPair {
	out := make([]callPair, 0, max(len(left), len(right)))
	taken := make([]bool, len(right))
	partner := make([]int, len(left))
	for _, needsArgs := range []bool{true, false} {
		for l := range left {
			if needsArgs {
				partner[l] = -1
			} else if partner[l] >= 0 {
				continue
			}
			for r := range right {
				if !taken[r] && left[l].Name == right[r].Name &&
					(!needsArgs || isSameJSON(left[l].Args, right[r].Args)) {
					partner[l], taken[r] = r, true
					break
				}
			}
		}
	}
	for l, r := range partner {
		out = append(out, callPair{l, r, r >= 0 && isSameJSON(left[l].Args, right[r].Args)})
	}
	for r := range right {
		if !taken[r] {
			out = append(out, callPair{-1, r, false})
		}
	}
	return out
}

// isSameJSON reports whether two values differ in nothing but their layout.
func isSameJSON(a, b jsontext.Value) bool {
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && string(a) == string(b)
}
