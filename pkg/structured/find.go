package structured

import (
	"slices"
	"sort"
	"strings"
)

// span is a part of the text.
type span struct{ start, end int }

// finder finds the JSON objects and lists in a text of any kind: at each bracket that begins one, from
// left to right, the complete one that begins there, going on behind it.
//
// Trying every bracket by itself would take quadratic time. The finder reads each byte once, for all
// attempts at the same time, and there are never more than two of them: an attempt that meets a
// bracket where it takes a value has it as a part, and what can become of the part can become of it
// alone; so a bracket begins an attempt of its own only where no other takes it. Of two attempts one
// is inside a string and the other is not, and that stays so: a quote changes both, a backslash ends
// the one outside, and a bracket ends the one outside or belongs to it.
type finder struct {
	text string
	live []*attempt // at most two, the one that began first is in front
	idle []*attempt

	// values are the complete objects and lists, in order; none holds or crosses another.
	values []span
	// cuts are attempts that failed in front of what may be the end of a fence, or in a string at the
	// end of the text.
	cuts []span
	// wrecks are objects and lists that failed behind a colon or a comma, or in front of what another
	// dialect has there. Those that began inside of a value are among them.
	wrecks []wreck
	// broken is the attempt that went on for longest, of those that read something before they failed.
	broken span
}

func (f *finder) run() {
	for at := f.skip(0); at < len(f.text); at = f.skip(at + 1) {
		f.read(at, f.text[at])
	}
}

// skip returns the next byte that can make a difference.
func (f *finder) skip(at int) int {
	switch {
	case len(f.live) == 0:
		for at < len(f.text) && !isBracket(f.text[at]) {
			at++
		}
	case len(f.live) == 1 && f.live[0].state == inString:
		for at < len(f.text) && !stirsString[f.text[at]] {
			at++
		}
	}
	return at
}

func isBracket(c byte) bool { return c == '{' || c == '[' }

// stirsString are the bytes that end a string, or change how it goes on, or begin another attempt.
var stirsString = func() (stirs [256]bool) {
	for c := range ' ' {
		stirs[c] = true
	}
	for _, c := range `"\{[` {
		stirs[c] = true
	}
	return stirs
}()

// read shows a byte to the attempts, and makes one at a bracket that none of them takes.
func (f *finder) read(at int, c byte) {
	taken, changed := false, false
	for _, a := range f.live {
		if a.over {
			continue
		}
		switch a.step(at, c) {
		case opens:
			taken = true
		case closes:
			a.over = len(a.open) == 0
			changed = f.closed(a.closed.start(), at+1) || a.over || changed
		case fails:
			a.over, changed = true, true
			f.failed(a, at)
		}
	}
	if changed {
		f.dismiss()
	}
	if !taken && isBracket(c) && !strings.HasSuffix(f.text[:at+1], openCDATA) {
		f.begin(at, c)
	}
}

// openCDATA begins a section of XML. Its brackets are no list around the content.
const openCDATA = "<![CDATA["

func (f *finder) begin(at int, c byte) {
	if len(f.idle) == 0 {
		f.idle = append(f.idle, new(attempt))
	}
	last := len(f.idle) - 1
	a := f.idle[last]
	f.idle = f.idle[:last]
	a.begin(at)
	a.step(at, c)
	f.live = append(f.live, a)
}

// dismiss takes the attempts off the list that are over.
func (f *finder) dismiss() {
	live := f.live[:0]
	for _, a := range f.live {
		if a.over {
			f.idle = append(f.idle, a)
		} else {
			live = append(live, a)
		}
	}
	f.live = live
}

// closed notes a complete value, which hides all that began inside of it: its own parts, and what looked
// like JSON in its strings. It reports whether an attempt ended by that.
func (f *finder) closed(start, end int) bool {
	hidden := len(f.values)
	if hidden > 0 && f.values[hidden-1].start > start {
		hidden = sort.Search(hidden, func(i int) bool { return f.values[i].start > start })
	}
	if hidden > 0 && f.values[hidden-1].end > start {
		return false // began inside a value that another attempt found
	}
	f.values = append(double(f.values[:hidden]), span{start, end})
	if f.broken.start > start {
		f.broken = span{} // a part of a string
	}
	ended := false
	for _, a := range f.live {
		if a.start > start && !a.over {
			a.over, ended = true, true
		}
	}
	return ended
}

// failed notes what an attempt came to that failed at the given byte.
func (f *finder) failed(a *attempt, at int) {
	i := slices.IndexFunc(a.open, bracket.separated)
	if i < 0 && (a.state == wantNameOrEnd || a.state == wantValueOrEnd) && isDialect(f.text[at:], a.inObject()) {
		i = 0
	}
	if (a.tokens > 0 || i >= 0) && at-a.start > f.broken.end-f.broken.start {
		f.broken = span{a.start, at}
	}
	if i >= 0 {
		f.wrecks = append(f.wrecks, wreck{
			span:     span{a.open[i].start(), at},
			open:     len(a.open) - i,
			inString: a.state == inEscape || a.state == inHex,
		})
	}
	if rest := strings.TrimLeft(f.text[at:], whiteSpace); rest == "" || beginsFence(rest) {
		f.cuts = append(f.cuts, span{a.start, at})
	}
}

// whiteSpace is what JSON allows between values.
const whiteSpace = " \t\r\n"
