package reverse

import (
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
)

// detailOwn is the detail for what stands beside the extension of an answer that came from Gemini.
const detailOwn = "the extension has Gemini's own, of which it was made"

// grounding makes grounding metadata of the sources that annotations name, nil of none. Positions count characters there
// and bytes of the answer's text here. A source without a stretch of the text, as package openai writes those that stand behind
// the answer as a whole, supports nothing.
func grounding(annotations []openaiapi.Annotation, text string, report *reporter, at string) *geminiapi.GroundingMetadata {
	pointers := make([]string, len(annotations))
	for i := range pointers {
		pointers[i] = at + "/" + strconv.Itoa(i)
	}
	return groundingOf(annotations, text, report, pointers)
}

// groundingOf is grounding for annotations that stand at pointers of their own.
func groundingOf(annotations []openaiapi.Annotation, text string, report *reporter, at []string) *geminiapi.GroundingMetadata {
	if len(annotations) == 0 {
		return nil
	}
	g := sources{text: characters{text: text}, out: &geminiapi.GroundingMetadata{}, at: map[source]int{}, spans: map[[2]int]int{}}
	for i := range annotations {
		g.add(&annotations[i], report, at[i])
	}
	if len(g.out.GroundingChunks) == 0 {
		return nil
	}
	return g.out
}

// source is a page.
type source struct{ url, title string }

// sources collects the sources of a text.
type sources struct {
	text  characters
	out   *geminiapi.GroundingMetadata
	at    map[source]int // the positions of the pages among the chunks
	spans map[[2]int]int // the positions of the stretches among the supports
}

func (g *sources) add(a *openaiapi.Annotation, report *reporter, at string) {
	c := &a.URLCitation
	report.loseUnknown(at, a.Unknown)
	report.loseUnknown(at+"/url_citation", c.Unknown)
	if a.Type != openaiapi.AnnotationTypeURLCitation || c.URL == "" {
		report.add(transform.Lost, at, "only sources with an address are known")
		return
	}
	page := source{c.URL, c.Title}
	position, known := g.at[page]
	if !known {
		position = len(g.out.GroundingChunks)
		g.at[page] = position
		g.out.GroundingChunks = append(g.out.GroundingChunks, geminiapi.GroundingChunk{Web: &geminiapi.GroundingChunkWeb{URI: &page.url, Title: &page.title}})
	}
	start, end := g.text.byteOffset(c.StartIndex), g.text.byteOffset(c.EndIndex)
	if start < 0 || end < 0 || start >= end {
		g.reportSpan(c, report, at)
		return
	}
	g.support(start, end, position)
}

// reportSpan reports a stretch that is none of the text.
func (g *sources) reportSpan(c *openaiapi.URLCitation, report *reporter, at string) {
	for _, index := range []struct {
		name  string
		value int
	}{
		{"start_index", c.StartIndex},
		{"end_index", c.EndIndex},
	} {
		if index.value != 0 {
			report.add(transform.Approximated, at+"/url_citation/"+index.name, "no stretch of the text; the source stands behind all of it")
		}
	}
}

// support says that a stretch of the text rests on a source, and perhaps on others.
func (g *sources) support(start, end, position int) {
	at, known := g.spans[[2]int{start, end}]
	if !known {
		at = len(g.out.GroundingSupports)
		g.spans[[2]int{start, end}] = at
		g.out.GroundingSupports = append(g.out.GroundingSupports, geminiapi.GroundingSupport{
			Segment: &geminiapi.Segment{StartIndex: &start, EndIndex: &end, Text: new(g.text.text[start:end])},
		})
	}
	s := &g.out.GroundingSupports[at]
	s.GroundingChunkIndices = append(s.GroundingChunkIndices, position)
}

// characters finds characters of a text by their positions. From one to a later one it goes on from there.
type characters struct {
	text              string
	character, offset int // of the one that was found last
}

// byteOffset returns where a character begins, -1 for one behind the end.
func (c *characters) byteOffset(character int) int {
	if character < c.character {
		c.character, c.offset = 0, 0
	}
	further := byteOffset(c.text[c.offset:], character-c.character)
	if further < 0 {
		return -1
	}
	c.character, c.offset = max(character, 0), c.offset+further
	return c.offset
}

// byteOffset returns where a character of a text begins, -1 for one behind its end.
func byteOffset(text string, character int) int {
	offset := 0
	for ; character > 0; character-- {
		if offset == len(text) {
			return -1
		}
		_, size := utf8.DecodeRuneInString(text[offset:])
		offset += size
	}
	return offset
}
