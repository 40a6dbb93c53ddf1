package reverse

import (
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// detailOwn is the detail for values that duplicate the extension of an answer from Gemini.
const detailOwn = "the extension has Gemini's original"

// grounding makes grounding metadata from the sources that annotations name. It returns nil without
// sources. Positions in annotations count characters; here they count bytes of the answer's text. A
// source without a span of text supports nothing. Package openai writes such sources for the answer
// as a whole.
func (c *cited) grounding(report *reporter) *geminiapi.GroundingMetadata {
	if len(c.annotations) == 0 && len(c.lists) == 0 {
		return nil
	}
	g := sources{
		text: characters{text: c.text}, out: &geminiapi.GroundingMetadata{},
		at: map[source]int{}, known: map[string]bool{}, spans: map[[2]int]int{},
	}
	for i := range c.annotations {
		g.add(&c.annotations[i], report, c.at[i])
	}
	for i := range c.lists {
		g.addList(&c.lists[i], report)
	}
	if len(g.out.GroundingChunks) == 0 {
		return nil
	}
	return g.out
}

// cited is a text with its sources: annotations with their pointers, and lists next to the choices.
type cited struct {
	text        string
	annotations []openaiapi.Annotation
	at          []string
	lists       []sourceList
}

// pointersBelow returns the pointers of the elements of a list.
func pointersBelow(at string, count int) []string {
	out := make([]string, count)
	for i := range out {
		out[i] = at + "/" + strconv.Itoa(i)
	}
	return out
}

// source is a page.
type source struct{ url, title string }

// sources collects the sources of a text.
type sources struct {
	text  characters
	out   *geminiapi.GroundingMetadata
	at    map[source]int  // the positions of the pages among the chunks
	known map[string]bool // the addresses of the pages
	spans map[[2]int]int  // the positions of the spans among the supports
}

func (g *sources) add(a *openaiapi.Annotation, entries *reporter, at string) {
	c := &a.URLCitation
	entries.loseUnknown(at, a.Unknown)
	entries.loseUnknown(at+"/url_citation", c.Unknown)
	if a.Type != openaiapi.AnnotationTypeURLCitation || c.URL == "" {
		entries.add(report.Lost, at, "Gemini has only sources with an address")
		return
	}
	position := g.position(source{c.URL, c.Title})
	start, end := g.text.byteOffset(c.StartIndex), g.text.byteOffset(c.EndIndex)
	if start < 0 || end < 0 || start >= end {
		g.reportSpan(c, entries, at)
		return
	}
	g.support(start, end, position)
}

// position returns the position of a page in groundingChunks, and adds the page if needed.
func (g *sources) position(page source) int {
	position, isThere := g.at[page]
	if !isThere {
		position = len(g.out.GroundingChunks)
		g.at[page], g.known[page.url] = position, true
		g.out.GroundingChunks = append(g.out.GroundingChunks,
			geminiapi.GroundingChunk{Web: &geminiapi.GroundingChunkWeb{URI: &page.url,
				Title: &page.title}})
	}
	return position
}

// reportSpan reports a span that does not lie in the text.
func (g *sources) reportSpan(c *openaiapi.URLCitation, entries *reporter, at string) {
	for _, index := range []struct {
		name  string
		value int
	}{
		{"start_index", c.StartIndex},
		{"end_index", c.EndIndex},
	} {
		if index.value != 0 {
			entries.add(report.Approximated, at+"/url_citation/"+index.name,
				"not a span of the text; the source is assigned to the whole text")
		}
	}
}

// support records that a source supports a span of the text. A span can have several sources.
func (g *sources) support(start, end, position int) {
	at, known := g.spans[[2]int{start, end}]
	if !known {
		at = len(g.out.GroundingSupports)
		g.spans[[2]int{start, end}] = at
		g.out.GroundingSupports = append(g.out.GroundingSupports, geminiapi.GroundingSupport{
			Segment: &geminiapi.Segment{StartIndex: &start, EndIndex: &end,
				Text: new(g.text.text[start:end])},
		})
	}
	s := &g.out.GroundingSupports[at]
	s.GroundingChunkIndices = append(s.GroundingChunkIndices, position)
}

// characters finds characters of a text by position, in any order.
type characters struct {
	text string
	// of each character whose position is a multiple of stride; computed on the first use
	offsets []int
}

// stride is the distance between characters whose offsets are kept. The offsets take little memory,
// and every other character is near one of them.
const stride = 64

// byteOffset returns the offset of a character, or -1 if it is after the end.
func (c *characters) byteOffset(character int) int {
	character = max(character, 0)
	if c.offsets == nil {
		c.offsets = offsetsOf(c.text)
	}
	if character/stride >= len(c.offsets) {
		return -1
	}
	offset := c.offsets[character/stride]
	for range character % stride {
		if offset == len(c.text) {
			return -1
		}
		_, size := utf8.DecodeRuneInString(c.text[offset:])
		offset += size
	}
	return offset
}

// offsetsOf returns the offsets that characters keeps for a text.
func offsetsOf(text string) []int {
	offsets := make([]int, 0, len(text)/stride+1)
	position := 0
	for offset := range text {
		if position%stride == 0 {
			offsets = append(offsets, offset)
		}
		position++
	}
	if position%stride == 0 { // the end
		offsets = append(offsets, len(text))
	}
	return offsets
}
