package interactions

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// outputText is a text of the answer, as a part of the content has it.
type outputText struct {
	part   int // position in the joined content
	start  int // first byte in the text of the candidate
	length int // in bytes
	step   int // number of its step, from 1
	block  int // position in the content of the step
	inStep int // first byte in the texts of the step
}

// addText records a piece of a text of the open output.
func (e *encoder) addText(length, part int) {
	last := len(e.texts) - 1
	if last >= 0 && e.texts[last].part == part && e.texts[last].step == e.begun {
		e.texts[last].length += length
		e.textLength += length
		return
	}
	text := outputText{part: part, start: e.textLength, length: length, step: e.begun,
		block: e.blocks()}
	if last >= 0 && e.texts[last].step == e.begun {
		text.inStep = e.texts[last].inStep + e.texts[last].length
	}
	e.texts = append(e.texts, text)
	e.textLength += length
}

// blocks returns the number of blocks of the open output so far.
func (e *encoder) blocks() int {
	if e.blocksOf != e.begun {
		e.blocksOf, e.blockCount = e.begun, 0
	}
	e.blockCount++
	return e.blockCount - 1
}

// addMedia records a block with media.
func (e *encoder) addMedia() { e.blocks() }

// annotate adds the annotations of the open output. The extension may have those of a part.
func (e *encoder) annotate() {
	for i := range e.texts {
		if text := &e.texts[i]; text.step == e.begun && e.exact[text.part] != nil {
			e.sink.annotate(text, e.exact[text.part])
		}
	}
	g := e.sources
	if g == nil {
		return
	}
	for i := range g.GroundingSupports {
		s := &g.GroundingSupports[i]
		text, start, end := e.locate(s.Segment)
		if text == nil || text.step != e.begun || e.placed[i] {
			continue
		}
		if e.exact[text.part] != nil {
			e.place(i, s.GroundingChunkIndices)
			continue
		}
		annotations := annotationsOf(g.GroundingChunks, s.GroundingChunkIndices, start, end)
		if len(annotations) == 0 {
			continue
		}
		e.place(i, s.GroundingChunkIndices)
		e.sink.annotate(text, annotations)
	}
}

// place records that annotations show a support and its sources.
func (e *encoder) place(support int, sources []int) {
	if e.placed == nil {
		e.placed, e.shownSources = map[int]bool{}, map[int]bool{}
	}
	e.placed[support] = true
	for _, i := range sources {
		e.shownSources[i] = true
	}
}

// locate returns the text that has a segment, and the bytes of the segment in it. By the API's
// description, offsets count from the start of the part that the segment names. In practice no part
// is named, and offsets count over the whole answer. A segment that no text has returns nil.
func (e *encoder) locate(s *geminiapi.Segment) (text *outputText, start, end int) {
	if s == nil {
		return nil, 0, 0
	}
	start, end = jsonx.Deref(s.StartIndex), jsonx.Deref(s.EndIndex)
	for i := range e.texts {
		t := &e.texts[i]
		if s.PartIndex != nil {
			if t.part == *s.PartIndex {
				text = t
				break
			}
		} else if t.start <= start && (start < t.start+t.length || start == 0) {
			text, start, end = t, start-t.start, end-t.start
			break
		}
	}
	if text == nil || start < 0 || end <= start || start >= text.length {
		return nil, 0, 0
	}
	return text, start, min(end, text.length)
}

// annotationsOf returns an annotation for each of the sources of a span that an annotation can
// describe.
func annotationsOf(sources []geminiapi.GroundingChunk, indices []int,
	start, end int) (out []interactionsapi.Annotation) {
	for _, i := range indices {
		if i < 0 || i >= len(sources) {
			continue
		}
		if a, ok := annotationOf(&sources[i]); ok {
			a.StartIndex, a.EndIndex = &start, &end
			out = append(out, a)
		}
	}
	return out
}

// annotationOf returns the annotation for a source, without a span.
func annotationOf(c *geminiapi.GroundingChunk) (a interactionsapi.Annotation, ok bool) {
	switch {
	case c.Web != nil:
		return interactionsapi.Annotation{Type: interactionsapi.AnnotationTypeURLCitation,
			URL: c.Web.URI, Title: c.Web.Title}, true
	case c.RetrievedContext != nil:
		r := c.RetrievedContext
		return interactionsapi.Annotation{Type: interactionsapi.AnnotationTypeFileCitation,
			DocumentURI: r.URI, FileName: r.Title, Source: r.Text, PageNumber: r.PageNumber,
			MediaID: r.MediaID, CustomMetadata: customMetadata(r.CustomMetadata)}, true
	case c.Maps != nil:
		return interactionsapi.Annotation{Type: interactionsapi.AnnotationTypePlaceCitation,
			PlaceID: c.Maps.PlaceID, Name: c.Maps.Title, URL: c.Maps.URI,
			ReviewSnippets: reviewSnippets(c.Maps.PlaceAnswerSources)}, true
	case c.Image != nil:
		return interactionsapi.Annotation{Type: interactionsapi.AnnotationTypeURLCitation,
			URL: c.Image.SourceURI, Title: c.Image.Title}, true
	default:
		return a, false
	}
}

// customMetadata returns the metadata of a file as an object.
func customMetadata(list []geminiapi.GroundingChunkCustomMetadata) (out jsontext.Value) {
	for i := range list {
		m := &list[i]
		var value any
		switch {
		case m.StringValue != nil:
			value = *m.StringValue
		case m.NumericValue != nil:
			value = *m.NumericValue
		case m.StringListValue != nil:
			value = m.StringListValue.Values
		default:
			continue
		}
		encoded, err := json.Marshal(value, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
		if err == nil {
			out = jsonx.MergeObjects(out, jsonx.Object(jsonx.Deref(m.Key), encoded))
		}
	}
	return out
}

// reviewSnippets returns the reviews of a place.
func reviewSnippets(s *geminiapi.PlaceAnswerSources) (out []interactionsapi.ReviewSnippet) {
	if s == nil {
		return nil
	}
	for _, r := range slices.Concat(s.ReviewSnippets, s.ReviewSnippet) {
		out = append(out, interactionsapi.ReviewSnippet{ReviewID: r.ReviewID, Title: r.Title,
			URL: r.GoogleMapsURI})
	}
	return out
}
