package structured

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// candidate is the location of a value in the text.
type candidate struct {
	span
	rank      rank
	truncated bool
	mended    *mended // of a malformed value, and of a truncated value that was tried
	fence     *fence  // nil outside of fences
}

// rank orders candidates by their likelihood to be the answer, the most likely first.
type rank uint8

const (
	rankFront     rank = iota // the text begins with it
	rankJSONFence             // it is in a fence that says so
	rankFence                 // it is in another fence
	rankProse                 // it stands among words
	// it is in prose and holds no string: {} or a mark such as [1]
	rankSlight
	rankBroken // it is cut off, or malformed and can be mended
)

// search holds what was found in a text.
type search struct {
	text       string      // as [readable] returns it
	source     string      // as it came
	whole      span        // the text without a byte order mark and the white space around it
	candidates []candidate // in order of preference
	fences     []fence     // in the order of the text
	broken     span        // what looks most like JSON but is not; empty if nothing does
}

// find finds all JSON values in a text, in linear time.
func find(text string) *search {
	source, text := text, readable(text)
	mark := len(text) - len(strings.TrimPrefix(text, byteOrderMark))
	s := &search{text: text, source: source, whole: trim(text, span{mark, len(text)})}
	if isScalar(text, s.whole) {
		s.candidates = []candidate{{span: s.whole}}
		return s
	}
	// A truncated string cannot end in line breaks. They came after it, at the end of a file.
	f := finder{text: strings.TrimRight(text, "\r\n")}
	f.run()
	s.fences = findFences(text, f.covered())
	malformed := f.malformedSpans(source)
	s.broken = f.broken
	s.addBroken(&f, malformed)
	s.addComplete(&f, malformed)
	s.addScalars()
	slices.SortFunc(s.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.start, b.start))
	})
	return s
}

// byteOrderMark is U+FEFF in UTF-8. Some editors and shells write it before a text.
const byteOrderMark = "\uFEFF"

// whiteSpace contains the characters that JSON allows between values.
const whiteSpace = " \t\r\n"

// trim removes the white space at both ends of a span.
func trim(text string, s span) span {
	s.start = s.end - len(strings.TrimLeft(text[s.start:s.end], whiteSpace))
	s.end = s.start + len(strings.TrimRight(text[s.start:s.end], whiteSpace))
	return s
}

// isScalar reports whether a span is a string, a number, true, false or null.
func isScalar(text string, s span) bool {
	value := text[s.start:s.end]
	if strings.HasPrefix(value, `"`) {
		return jsontext.Value(value).IsValid()
	}
	return scalarPattern.MatchString(value)
}

// covered returns the parts of the text that are or may become JSON, in order: the values, and all
// text from the first scanner on that the end of the text stopped.
func (f *finder) covered() []span {
	if len(f.scanners) == 0 {
		return f.values
	}
	rest := span{f.scanners[0].start, len(f.text)}
	before := sort.Search(len(f.values), func(i int) bool { return f.values[i].start > rest.start })
	return append(f.values[:before:before], rest)
}

// fenceAt returns the fence whose content contains an offset, nil if no fence contains it.
func (s *search) fenceAt(at int) *fence {
	i := sort.Search(len(s.fences), func(i int) bool { return s.fences[i].content.end > at })
	if i == len(s.fences) || s.fences[i].content.start > at {
		return nil
	}
	return &s.fences[i]
}

// addBroken adds the truncated values and the repairable ones, except parts of others.
func (s *search) addBroken(f *finder, malformed []malformedSpan) {
	parts := newCover(spansOf(malformed))
	for i := range malformed {
		if m := &malformed[i]; !parts.contains(m.span) && m.mended != nil {
			s.candidates = append(s.candidates, candidate{
				span: m.span, rank: rankBroken, mended: m.mended, fence: s.fenceAt(m.start),
			})
		}
	}
	parts = newCover(spansOf(malformed))
	for _, scanner := range f.scanners {
		cut := span{scanner.start, len(f.text)}
		if !parts.contains(cut) {
			s.candidates = append(s.candidates,
				candidate{span: cut, rank: rankBroken, truncated: true,
					fence: s.fenceAt(cut.start)})
		}
	}
}

func spansOf(malformed []malformedSpan) []span {
	spans := make([]span, len(malformed))
	for i := range malformed {
		spans[i] = malformed[i].span
	}
	return spans
}

// addComplete adds complete objects and lists, except parts of truncated or malformed values: a
// part of an answer is not an answer.
func (s *search) addComplete(f *finder, malformed []malformedSpan) {
	broken := spansOf(malformed)
	for i := range s.candidates {
		broken = append(broken, s.candidates[i].span)
	}
	parts := newCover(broken)
	s.candidates = slices.Grow(s.candidates, len(f.values))
	for _, value := range f.values {
		c := candidate{span: value, fence: s.fenceAt(value.start)}
		inString := c.fence != nil && c.fence.scalar
		if inString || parts.contains(value) {
			continue
		}
		c.rank = s.rank(c)
		s.candidates = append(s.candidates, c)
	}
}

// cover reports for spans, in order, whether they are parts of others.
type cover struct {
	spans []span // in order of their starts
	end   int    // how far those reach that began before
}

func newCover(spans []span) *cover {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return &cover{spans: spans}
}

// contains reports whether one of the spans contains s. Calls must be in the order of the text.
func (c *cover) contains(s span) bool {
	for len(c.spans) > 0 && c.spans[0].start < s.start {
		c.end = max(c.end, c.spans[0].end)
		c.spans = c.spans[1:]
	}
	return s.end <= c.end
}

// addScalars adds the fences whose content is a scalar.
func (s *search) addScalars() {
	for i := range s.fences {
		if f := &s.fences[i]; f.scalar {
			c := candidate{span: f.content, fence: f}
			c.rank = s.rank(c)
			s.candidates = append(s.candidates, c)
		}
	}
}

// rank ranks a complete value.
func (s *search) rank(c candidate) rank {
	alone := c.span == s.whole || c.fence != nil && c.span == c.fence.content
	switch {
	case !alone && strings.IndexByte(s.text[c.start:c.end], '"') < 0:
		return rankSlight
	case c.start == s.whole.start:
		return rankFront
	case c.fence == nil:
		return rankProse
	case c.fence.namesJSON():
		return rankJSONFence
	default:
		return rankFence
	}
}
