package inspector

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"

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
	Note       string         `json:"note"` // what is missing and why, or ""
}

// comparedCall is a call of a function.
type comparedCall struct {
	Name string         `json:"name"`
	Args jsontext.Value `json:"args"`
}

// maxCompared is the maximum number of calls of an answer that are compared.
const maxCompared = 1000

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
		kept, ok := i.store.snapshot(r.Context(), number)
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
	for n, call := range view.Calls() {
		if n == maxCompared {
			side.Note = strings.TrimSpace(side.Note + " Only the first 1,000 calls are compared.")
			break
		}
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
	for l := range left {
		out = append(out, callPair{Left: l, Right: -1})
	}
	taken := make([]bool, len(right))
	pairBy := func(key func(c *comparedCall) string, isSame bool) {
		free := map[string][]int{} // indexes in right, by key
		for r := range right {
			if k := key(&right[r]); !taken[r] {
				free[k] = append(free[k], r)
			}
		}
		for l := range left {
			k := key(&left[l])
			if of := free[k]; out[l].Right < 0 && len(of) > 0 {
				out[l].Right, out[l].IsSame, taken[of[0]] = of[0], isSame, true
				free[k] = of[1:]
			}
		}
	}
	pairBy(func(c *comparedCall) string { return c.Name + "\x00" + canonical(c.Args) }, true)
	pairBy(func(c *comparedCall) string { return c.Name }, false)
	for r := range right {
		if !taken[r] {
			out = append(out, callPair{-1, r, false})
		}
	}
	return out
}

// canonical returns a value in the layout that equal values share.
func canonical(value jsontext.Value) string {
	value = value.Clone()
	_ = value.Canonicalize() // An invalid value is compared unchanged.
	return string(value)
}
