// Package textdiff finds the difference of two texts, word by word.
//
//	for _, piece := range textdiff.Of("a red bus", "a blue bus") { ... }
package textdiff

import (
	"slices"
	"strings"
	"unicode"
)

// Op says which of the texts has a piece.
type Op string

// The operations.
const (
	Same  Op = "same"
	Left  Op = "left"
	Right Op = "right"
)

// Piece is a part of both texts, or of one of them.
type Piece struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// maxEdits limits the work for texts that have little in common. What is left then is one piece of
// each text.
const maxEdits = 1500

// Of returns the pieces of two texts, in order. Together, the pieces of a text and the common ones
// are that text.
func Of(left, right string) []Piece {
	a, b := words(left), words(right)
	begin := commonBeginning(a, b)
	out := pieces{}
	out.add(Same, a[:begin])
	a, b = a[begin:], b[begin:]
	end := commonEnd(a, b)
	middle := len(a) - end
	out.compare(a[:middle], b[:len(b)-end])
	out.add(Same, a[middle:])
	return out.all
}

// words splits a text into words, each with the white space after it.
func words(text string) (out []string) {
	begin, isSpace := 0, false
	for at, r := range text {
		switch space := unicode.IsSpace(r); {
		case space:
			isSpace = true
		case isSpace:
			out = append(out, text[begin:at])
			begin, isSpace = at, false
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

func commonBeginning(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonEnd(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// pieces collects pieces.
type pieces struct{ all []Piece }

// add adds words. Words with the same operation are one piece.
func (p *pieces) add(op Op, words []string) {
	if len(words) == 0 {
		return
	}
	text := strings.Join(words, "")
	if last := len(p.all) - 1; last >= 0 && p.all[last].Op == op {
		p.all[last].Text += text
		return
	}
	p.all = append(p.all, Piece{op, text})
}

// compare adds the difference of two lists of words, by the algorithm of Myers ("An O(ND)
// Difference Algorithm and Its Variations", 1986).
func (p *pieces) compare(a, b []string) {
	steps, ok := trace(a, b)
	if !ok {
		p.add(Left, a)
		p.add(Right, b)
		return
	}
	for i := 0; i < len(steps); {
		run := i
		for run < len(steps) && steps[run].op == steps[i].op {
			run++
		}
		var words []string
		for _, s := range steps[i:run] {
			words = append(words, s.word)
		}
		p.add(steps[i].op, words)
		i = run
	}
}

// step is one word of the difference.
type step struct {
	op   Op
	word string
}

// trace returns the shortest way from a to b. It gives up if that has too many edits.
func trace(a, b []string) ([]step, bool) {
	n, m := len(a), len(b)
	most := min(n+m, maxEdits)
	reach := make([]int, 2*most+2) // the furthest x on each diagonal
	var history [][]int
	for edits := 0; edits <= most; edits++ {
		history = append(history, slices.Clone(reach[most-edits:most+edits+2]))
		for k := -edits; k <= edits; k += 2 {
			x := 0
			if k == -edits || k != edits && reach[most+k-1] < reach[most+k+1] {
				if most+k+1 < len(reach) {
					x = reach[most+k+1]
				}
			} else {
				x = reach[most+k-1] + 1
			}
			for x < n && x-k < m && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			reach[most+k] = x
			if x >= n && x-k >= m {
				return back(a, b, history), true
			}
		}
	}
	return nil, false
}

// back follows the recorded ways back from the ends of a and b.
func back(a, b []string, history [][]int) (steps []step) {
	x, y := len(a), len(b)
	for edits := len(history) - 1; edits >= 0; edits-- {
		reach := history[edits] // of the diagonals from -edits
		at := func(k int) int { return reach[edits+k] }
		k := x - y
		before := k - 1
		if k == -edits || k != edits && at(k-1) < at(k+1) {
			before = k + 1
		}
		fromX := 0
		if edits > 0 {
			fromX = at(before)
		}
		fromY := fromX - before
		for x > fromX && y > fromY && x > 0 && y > 0 {
			x, y = x-1, y-1
			steps = append(steps, step{Same, a[x]})
		}
		switch {
		case edits == 0:
		case x > fromX:
			x--
			steps = append(steps, step{Left, a[x]})
		default:
			y--
			steps = append(steps, step{Right, b[y]})
		}
	}
	slices.Reverse(steps)
	return steps
}
