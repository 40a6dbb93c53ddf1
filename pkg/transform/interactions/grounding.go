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

// outputTexts are the texts of the answer so far.
type outputTexts struct {
	list   []outputText
	first  [1]outputText // memory of the list; most answers have one text
	length int           // of all in bytes
	step   int           // number of the step that blocks is about
	blocks int           // of this step
}

// add records a piece of a text of an output.
func (o *outputTexts) add(length, part, step int) {
	last := len(o.list) - 1
	o.length += length
	if last >= 0 && o.list[last].part == part && o.list[last].step == step {
		o.list[last].length += length
		return
	}
	text := outputText{part: part, start: o.length - length, length: length, step: step,
		block: o.block(step)}
	if last >= 0 && o.list[last].step == step {
		text.inStep = o.list[last].inStep + o.list[last].length
	}
	if o.list == nil {
		o.list = o.first[:0]
	}
	o.list = append(o.list, text)
}

// block returns the position of a new block of an output.
func (o *outputTexts) block(step int) int {
	if o.step != step {
		o.step, o.blocks = step, 0
	}
	o.blocks++
	return o.blocks - 1
}

// sources are the sources of the answer so far.
type sources struct {
	wire *geminiapi.GroundingMetadata // or nil
	// join returns the newer metadata of several chunks, or is nil. Joining them costs time, so an
	// output does it once, when it ends.
	join func() *geminiapi.GroundingMetadata
	// exact are the annotations of parts that the extension has.
	exact map[int][]interactionsapi.Annotation
	// placed are the supports, and shown the grounding chunks, that annotations show.
	placed, shown map[int]bool
}

// annotate adds the annotations of the open output. The extension may have those of a part.
func (e *encoder) annotate() {
	for i := range e.texts.list {
		if text := &e.texts.list[i]; text.step == e.begun && e.sources.exact[text.part] != nil {
			e.sink.annotate(text, e.sources.exact[text.part])
		}
	}
	g := e.sources.metadata()
	if g == nil {
		return
	}
	for i := range g.GroundingSupports {
		if e.sources.placed[i] {
			continue
		}
		s := &g.GroundingSupports[i]
		text, start, end := e.texts.locate(s.Segment)
		if text == nil || text.step != e.begun {
			continue
		}
		if e.sources.exact[text.part] != nil {
			e.sources.place(i, s.GroundingChunkIndices)
			continue
		}
		annotations := annotationsOf(g.GroundingChunks, s.GroundingChunkIndices, start, end)
		if len(annotations) == 0 {
			continue
		}
		e.sources.place(i, s.GroundingChunkIndices)
		e.sink.annotate(text, annotations)
	}
}

// metadata returns the metadata so far, or nil.
func (s *sources) metadata() *geminiapi.GroundingMetadata {
	if s.join != nil {
		if joined := s.join(); joined != nil {
			s.wire = joined
		}
		s.join = nil
	}
	return s.wire
}

// place records that annotations show a support and its grounding chunks.
func (s *sources) place(support int, chunks []int) {
	if s.placed == nil {
		s.placed, s.shown = map[int]bool{}, map[int]bool{}
	}
	s.placed[support] = true
	for _, i := range chunks {
		s.shown[i] = true
	}
}

// locate returns the text that has a segment, and the bytes of the segment in it. By the API's
// description, offsets count from the start of the part that the segment names. In practice no part
// is named, and offsets count over the whole answer. A segment that no text has returns nil.
func (o *outputTexts) locate(s *geminiapi.Segment) (text *outputText, start, end int) {
	if s == nil {
		return nil, 0, 0
	}
	start, end = jsonx.Deref(s.StartIndex), jsonx.Deref(s.EndIndex)
	for i := range o.list {
		t := &o.list[i]
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
