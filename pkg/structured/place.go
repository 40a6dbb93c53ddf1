package structured

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// place is where a value stands in the text.
type place struct {
	span
	rank      rank
	truncated bool
	fence     *fence // nil outside of fences
}

// rank orders places by how likely it is that they hold the answer, the likeliest first.
type rank uint8

const (
	rankFront       rank = iota // the text begins with it
	rankJSONFence               // it is in a fence that says so
	rankFence                   // it is in another fence
	rankProse                   // it stands among words
	rankSlight                  // it stands among other text and holds no string: {} or a mark such as [1]
	rankTruncated               // it is cut off
	rankInTruncated             // it is a part of what is cut off
	rankInWreck                 // it is a part of what begins like JSON and is none
	rankCutString               // the text is a string that is cut off
)

// search is what was found in a text.
type search struct {
	text   string
	places []place // in order of preference
	fences []fence // in the order of the text
	whole  span    // the text without a byte order mark and the white space around it
	broken span    // what looks most like JSON but is not; empty if nothing does
}

// find finds all JSON values in a text, in linear time.
func find(text string) *search {
	mark := len(text) - len(strings.TrimPrefix(text, byteOrderMark))
	whole := trim(text, span{mark, len(text)})
	s := &search{text: text, whole: whole}
	if isScalar(text, whole) {
		s.places = []place{{span: whole}}
		return s
	}
	f := finder{text: text}
	f.run()
	s.broken = f.broken
	s.fences = findFences(text, f.covered())
	s.addTruncated(&f)
	s.addComplete(&f)
	s.addScalars()
	if len(s.places) == 0 && isCutString(text[whole.start:]) {
		s.places = []place{{span: span{whole.start, len(text)}, rank: rankCutString, truncated: true}}
	}
	slices.SortFunc(s.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.start, b.start))
	})
	return s
}

// isScalar reports whether a span is a string, a number, true, false or null.
func isScalar(text string, s span) bool {
	return s.start < s.end && !isBracket(text[s.start]) && jsontext.Value(text[s.start:s.end]).IsValid()
}

// isCutString reports whether a text is the beginning of a JSON string.
func isCutString(text string) bool {
	var a attempt
	for at := range len(text) {
		if a.step(at, text[at]) == fails || a.open != nil {
			return false
		}
	}
	return a.state == inString || a.state == inEscape || a.state == inHex
}

// covered returns the parts of the text that are or may become JSON, in order: the values, and from
// the first attempt on that is still live all the rest.
func (f *finder) covered() []span {
	if len(f.live) == 0 {
		return f.values
	}
	rest := span{f.live[0].start, len(f.text)}
	before := sort.Search(len(f.values), func(i int) bool { return f.values[i].start > rest.start })
	return append(f.values[:before:before], rest)
}

// addTruncated adds what the end of the text or of a fence cuts off, in the order of the text.
func (s *search) addTruncated(f *finder) {
	for _, cut := range f.cuts {
		fence, end := s.fenceAt(cut.start), len(s.text)
		if fence != nil {
			end = fence.end
		}
		if trim(s.text, span{cut.start, end}).end <= cut.end && (fence == nil || !fence.scalar) {
			s.places = append(s.places, place{cut, rankTruncated, true, fence})
		}
	}
	for _, a := range f.live {
		s.places = append(s.places, place{span{a.start, len(s.text)}, rankTruncated, true, s.fenceAt(a.start)})
	}
	slices.SortFunc(s.places, func(a, b place) int { return cmp.Compare(a.start, b.start) })
}

// fenceAt returns the fence that has a byte in its content, nil when none has.
func (s *search) fenceAt(at int) *fence {
	i := sort.Search(len(s.fences), func(i int) bool { return s.fences[i].end > at })
	if i == len(s.fences) || s.fences[i].content.start > at {
		return nil
	}
	return &s.fences[i]
}

// addComplete adds complete objects and lists. What is cut off stands in places already.
func (s *search) addComplete(f *finder) {
	truncated := newCover(spansOf(s.places))
	wrecks := newCover(s.extents(f.wrecksOutside()))
	s.places = slices.Grow(s.places, len(f.values))
	for _, value := range f.values {
		p := place{span: value, fence: s.fenceAt(value.start)}
		switch {
		case p.fence != nil && p.fence.scalar:
			continue // within a string
		case truncated.holds(value):
			p.rank = rankInTruncated
		case wrecks.holds(value):
			p.rank = rankInWreck
		default:
			p.rank = s.rank(p)
		}
		s.places = append(s.places, p)
	}
}

func spansOf(places []place) []span {
	spans := make([]span, len(places))
	for i := range places {
		spans[i] = places[i].span
	}
	return spans
}

// cover tells of spans, in order, whether they are parts of others.
type cover struct {
	spans []span // in order of their starts
	end   int    // how far those reach that began before
}

func newCover(spans []span) *cover {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return &cover{spans: spans}
}

// holds reports whether one of the spans began before s and reaches as far. Questions have to come in
// the order of the text.
func (c *cover) holds(s span) bool {
	for len(c.spans) > 0 && c.spans[0].start < s.start {
		c.end = max(c.end, c.spans[0].end)
		c.spans = c.spans[1:]
	}
	return s.end <= c.end
}

// rank ranks a complete value.
func (s *search) rank(p place) rank {
	alone := p.span == s.whole || p.fence != nil && p.span == p.fence.content
	slight := !alone && strings.IndexByte(s.text[p.start:p.end], '"') < 0
	switch {
	case slight && (p.fence == nil || !p.fence.namesJSON()):
		return rankSlight
	case p.start == s.whole.start:
		return rankFront
	case p.fence == nil:
		return rankProse
	case p.fence.namesJSON():
		return rankJSONFence
	default:
		return rankFence
	}
}

// addScalars adds the fences whose content is a scalar.
func (s *search) addScalars() {
	for i := range s.fences {
		if f := &s.fences[i]; f.scalar {
			p := place{span: f.content, fence: f}
			p.rank = s.rank(p)
			s.places = append(s.places, p)
		}
	}
}
