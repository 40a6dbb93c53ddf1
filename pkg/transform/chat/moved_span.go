package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
	"github.com/go-json-experiment/json"
)

// spanRecords holds the grounding and citation records of a candidate's chunks that have spans.
// Their offsets may be wrong, which is known only when the text is complete.
type spanRecords struct {
	grounding []spanRecord[geminiapi.GroundingMetadata]
	citations []spanRecord[geminiapi.CitationMetadata]
}

type spanRecord[T any] struct {
	source normalize.Location
	wire   *T
}

// spanSource is the location of a span: the candidate's location, and a pointer within the
// candidate.
type spanSource struct {
	source  normalize.Location
	pointer string
}

func (s *Stream) addGrounding(e *normalize.Event) {
	c := s.choice(e.Candidate)
	c.cited = true
	r := &c.spans
	if s.lossesOnly || len(e.Grounding.GroundingSupports) == 0 {
		return
	}
	r.grounding = append(r.grounding,
		spanRecord[geminiapi.GroundingMetadata]{e.Source, e.Grounding})
}

func (s *Stream) addCitations(e *normalize.Event) {
	c := s.choice(e.Candidate)
	c.cited = true
	r := &c.spans
	if s.lossesOnly || len(e.Citations.CitationSources)+len(e.Citations.Citations) == 0 {
		return
	}
	r.citations = append(r.citations, spanRecord[geminiapi.CitationMetadata]{e.Source, e.Citations})
}

// reportMoved reports the annotations whose offsets differ from the wire's, at each chunk that has
// the span.
func (s *Stream) reportMoved(c *streamChoice, a *annotations) {
	if len(a.moved) > 0 {
		detail := detailMoved
		if c.turn.answer.IsShape() {
			detail = detailUnchecked
		}
		segments := c.spans.segments()
		for _, i := range a.moved {
			s.reportMovedSpan(segments,
				encoded(a.candidate.Grounding.Wire.GroundingSupports[i].Segment), detail)
		}
	}
	if len(a.movedCitations) > 0 {
		cited := c.spans.cited()
		for _, i := range a.movedCitations {
			s.reportMovedSpan(cited,
				encoded(citationOf(openaianswer.CitationMetadata(a.candidate), i)), detailMoved)
		}
	}
}

// reportMovedSpan reports all sources of a span, once. Equal spans have the same sources.
func (s *Stream) reportMovedSpan(sources map[string][]spanSource, span, detail string) {
	for _, at := range sources[span] {
		s.driver.Source.AddEntry(report.Approximated, at.source, at.pointer, detail)
	}
	delete(sources, span)
}

// segments returns the locations of the supports' segments, by the segment's JSON.
func (r *spanRecords) segments() map[string][]spanSource {
	out := map[string][]spanSource{}
	for _, record := range r.grounding {
		for i := range record.wire.GroundingSupports {
			segment := encoded(record.wire.GroundingSupports[i].Segment)
			out[segment] = append(out[segment], spanSource{record.source, segmentPointer(i)})
		}
	}
	return out
}

// cited returns the locations of the citations, by the citation's JSON.
func (r *spanRecords) cited() map[string][]spanSource {
	out := map[string][]spanSource{}
	for _, record := range r.citations {
		for i := range len(record.wire.CitationSources) + len(record.wire.Citations) {
			cited := encoded(citationOf(record.wire, i))
			out[cited] = append(out[cited],
				spanSource{record.source, citationPointer(record.wire, i)})
		}
	}
	return out
}

// encoded returns the JSON of a span, which is the same for equal spans.
func encoded(span any) string {
	data, err := json.Marshal(span, jsonx.Canonical)
	if err != nil {
		return "" // the span contains a free-form value that is not JSON
	}
	return string(data)
}
