package normalize

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Grounding tells which sources a candidate rests on.
type Grounding struct {
	// Sources are the pages, documents, places and images, in the order of the wire's grounding
	// chunks, which the supports count from 0.
	Sources []Source `json:"sources" validate:"dive"`
	// Supports say which span of the text rests on which sources.
	Supports []Support `json:"supports" validate:"dive"`
	// Queries are the web searches that the model made.
	Queries []string `json:"queries,omitzero"`
	// Wire is the wire's record, complete.
	Wire *geminiapi.GroundingMetadata `json:"wire,omitzero" validate:"-"`
}

// SourceKind says where a source comes from.
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

// Source is something that a candidate rests on.
type Source struct {
	Kind SourceKind `json:"kind" validate:"required,oneof=web image retrieved maps unknown"`
	// URI is the source's address, "" where the wire gives none.
	URI string `json:"uri,omitzero"`
	// Title is the source's title or name, "" where the wire gives none.
	Title string `json:"title,omitzero"`
}

// Support ties a span of the text to the sources that it rests on. The span is empty when the wire
// names none, as for supports of rendered images.
type Support struct {
	Span
	// Sources are positions in Grounding.Sources; those outside its range are left out.
	Sources []int `json:"sources" validate:"dive,gte=0"`
	// Confidence are the scores from 0 to 1 of the sources, in their order and number; empty on
	// recent models, which send none.
	Confidence []float64 `json:"confidence,omitzero"`
}

// Span is a piece of a candidate's text.
type Span struct {
	// Start and End delimit the span in the candidate's Text, in characters (Unicode code points),
	// End exclusive.
	Start int `json:"start" validate:"gte=0"`
	End   int `json:"end" validate:"gtefield=Start"`
	// Text is the span's text as the wire gives it, "" where it does not.
	Text string `json:"text,omitzero"`
	// Approximated reports that the wire's offsets did not point at Text, or not at whole
	// characters of the candidate's text. The span is then the nearest place where Text stands, or
	// when there is none, what of the wire's span is in the candidate's text.
	Approximated bool `json:"approximated,omitzero"`
}

// newGrounding returns nil without grounding metadata.
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

// NewSource normalises a source of the wire.
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

// dropSources leaves out the sources that do not exist, the first of which is at a position; the
// slices are those of the wire's record, so it makes new ones.
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

// newSegmentSpan converts a segment. The API counts its offsets from the beginning of the part that
// it names; in practice it names none, and the offsets count over the whole answer.
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
