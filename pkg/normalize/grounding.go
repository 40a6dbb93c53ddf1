package normalize

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Grounding lists the sources that a candidate is based on.
type Grounding struct {
	// Sources are the pages, documents, places and images, in the order of the wire's grounding
	// chunks. Supports refer to them by position, counted from 0.
	Sources []Source `json:"sources" validate:"dive"`
	// Supports connect spans of the text with sources.
	Supports []Support `json:"supports" validate:"dive"`
	// Queries are the web searches that the model made.
	Queries []string `json:"queries,omitzero"`
	// Wire is the wire's complete record.
	Wire *geminiapi.GroundingMetadata `json:"wire,omitzero" validate:"-"`
}

// SourceKind is the origin of a source.
type SourceKind string

// The kinds of sources.
const (
	// SourceWeb is a web page.
	SourceWeb SourceKind = "web"
	// SourceImage is an image found on the web.
	SourceImage SourceKind = "image"
	// SourceRetrieved is a document of a retrieval tool: file search, RAG, Vertex AI Search.
	SourceRetrieved SourceKind = "retrieved"
	// SourceMaps is a place or a route on Google Maps.
	SourceMaps SourceKind = "maps"
	// SourceUnknown is a source of a kind that this version does not know.
	SourceUnknown SourceKind = "unknown"
)

// Source is a page, document, place or image that a candidate is based on.
type Source struct {
	Kind SourceKind `json:"kind" validate:"required,oneof=web image retrieved maps unknown"`
	// URI is the source's address, "" if the wire has none.
	URI string `json:"uri,omitzero"`
	// Title is the source's title or name, "" if the wire has none.
	Title string `json:"title,omitzero"`
}

// Support connects a span of the text with its sources. The span is empty if the wire has none, as
// for supports of rendered images.
type Support struct {
	Span
	// Sources are positions in Grounding.Sources. Positions outside its range are left out.
	Sources []int `json:"sources" validate:"dive,gte=0"`
	// Confidence holds a score from 0 to 1 for each source, in the same order. It is empty for
	// recent models, which send no scores.
	Confidence []float64 `json:"confidence,omitzero"`
}

// Span is a piece of a candidate's text.
type Span struct {
	// Start and End delimit the span in the candidate's Text, in characters (Unicode code points),
	// End exclusive.
	Start int `json:"start" validate:"gte=0"`
	End   int `json:"end" validate:"gtefield=Start"`
	// Text is the span's text as the wire gives it, "" if the wire has none.
	Text string `json:"text,omitzero"`
	// Approximated reports that the wire's offsets do not match Text, or do not lie between whole
	// characters. The span is then the nearest place of Text in the candidate's text. If Text does
	// not occur there, the span is the part of the wire's span that lies within the text.
	Approximated bool `json:"approximated,omitzero"`
}

// newGrounding returns nil if there is no grounding metadata.
func newGrounding(m *geminiapi.GroundingMetadata, text *textIndex) *Grounding {
	if m == nil {
		return nil
	}
	out := &Grounding{Queries: m.WebSearchQueries, Wire: m}
	if len(m.GroundingChunks) > 0 {
		out.Sources = make([]Source, len(m.GroundingChunks))
	}
	for i := range out.Sources {
		out.Sources[i] = NewSource(&m.GroundingChunks[i])
	}
	if len(m.GroundingSupports) > 0 {
		out.Supports = make([]Support, len(m.GroundingSupports))
	}
	for i := range out.Supports {
		out.Supports[i] = newSupport(&m.GroundingSupports[i], len(out.Sources), text)
	}
	return out
}

// NewSource converts a grounding chunk of Gemini to a Source.
func NewSource(c *geminiapi.GroundingChunk) Source {
	switch {
	case c.Web != nil:
		return Source{Kind: SourceWeb, URI: jsonx.Deref(c.Web.URI), Title: jsonx.Deref(c.Web.Title)}
	case c.RetrievedContext != nil:
		r := c.RetrievedContext
		return Source{Kind: SourceRetrieved, URI: jsonx.Deref(r.URI),
			Title: cmp.Or(jsonx.Deref(r.Title), jsonx.Deref(r.DocumentName))}
	case c.Maps != nil:
		return Source{Kind: SourceMaps, URI: jsonx.Deref(c.Maps.URI),
			Title: jsonx.Deref(c.Maps.Title)}
	case c.Image != nil:
		i := c.Image
		return Source{Kind: SourceImage,
			URI: cmp.Or(jsonx.Deref(i.SourceURI),
				jsonx.Deref(i.ImageURI)), Title: jsonx.Deref(i.Title)}
	default:
		return Source{Kind: SourceUnknown}
	}
}

func newSupport(s *geminiapi.GroundingSupport, sources int, text *textIndex) Support {
	out := Support{Span: newSegmentSpan(s.Segment, text), Sources: s.GroundingChunkIndices}
	if len(s.ConfidenceScores) == len(s.GroundingChunkIndices) {
		out.Confidence = s.ConfidenceScores
	}
	inRange := func(i int) bool { return 0 <= i && i < sources }
	for i, source := range s.GroundingChunkIndices {
		if !inRange(source) {
			out.dropSources(i, inRange)
			break
		}
	}
	return out
}

// dropSources leaves out sources that do not exist. The first of them is at the given position. It
// makes new slices, because the given ones belong to the wire's record.
func (s *Support) dropSources(first int, keep func(int) bool) {
	sources := slices.Clone(s.Sources[:first])
	var confidence []float64
	if s.Confidence != nil {
		confidence = slices.Clone(s.Confidence[:first])
	}
	for i := first; i < len(s.Sources); i++ {
		if !keep(s.Sources[i]) {
			continue
		}
		sources = append(sources, s.Sources[i])
		if s.Confidence != nil {
			confidence = append(confidence, s.Confidence[i])
		}
	}
	s.Sources, s.Confidence = sources, confidence
}

// newSegmentSpan converts a segment. By the API's description, offsets count from the start of the
// part that the segment names. In practice no part is named, and offsets count over the whole
// answer.
func newSegmentSpan(s *geminiapi.Segment, text *textIndex) Span {
	if s == nil {
		return Span{}
	}
	base, known := 0, true
	if s.PartIndex != nil {
		base, known = text.base(*s.PartIndex)
	}
	return text.span(base, known, jsonx.Deref(s.StartIndex), jsonx.Deref(s.EndIndex),
		jsonx.Deref(s.Text))
}
