package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// spanRecords are the records of a candidate's chunks that have spans of its text. Whether a span points
// at the text that is meant is known only when all of the text is.
type spanRecords struct {
	grounding []spanRecord[geminiapi.GroundingMetadata]
	citations []spanRecord[geminiapi.CitationMetadata]
}

type spanRecord[T any] struct {
	source normalize.Location
	wire   *T
}

// spanSource is where a span stood.
type spanSource struct {
	source  normalize.Location
	pointer string
}

func (r *spanRecords) addGrounding(e *normalize.Event) {
	r.grounding = append(r.grounding, spanRecord[geminiapi.GroundingMetadata]{e.Source, e.Grounding})
}

func (r *spanRecords) addCitations(e *normalize.Event) {
	r.citations = append(r.citations, spanRecord[geminiapi.CitationMetadata]{e.Source, e.Citations})
}

// reportMoved reports the annotations whose positions are other than the wire's, wherever one of the chunks
// had them.
func (s *Stream) reportMoved(r *spanRecords, a *annotations) {
	if len(a.moved) > 0 {
		segments := r.segments()
		for _, i := range a.moved {
			s.reportMovedSpan(segments, string(encoded(a.candidate.Grounding.Wire.GroundingSupports[i].Segment)))
		}
	}
	if len(a.movedCitations) > 0 {
		cited := r.cited()
		for _, i := range a.movedCitations {
			s.reportMovedSpan(cited, string(encoded(citationOf(citationMetadata(a.candidate), i))))
		}
	}
}

// reportMovedSpan reports all sources of a span at once, as they are the same for all that are equal.
func (s *Stream) reportMovedSpan(sources map[string][]spanSource, span string) {
	for _, at := range sources[span] {
		s.source.AddEntry(transform.Approximated, at.source, at.pointer, detailMoved)
	}
	delete(sources, span)
}

// segments returns where the segments of supports stood, by their JSON.
func (r *spanRecords) segments() map[string][]spanSource {
	out := map[string][]spanSource{}
	for _, record := range r.grounding {
		for i := range record.wire.GroundingSupports {
			segment := string(encoded(record.wire.GroundingSupports[i].Segment))
			out[segment] = append(out[segment], spanSource{record.source, segmentPointer(i)})
		}
	}
	return out
}

// cited returns the same of citations.
func (r *spanRecords) cited() map[string][]spanSource {
	out := map[string][]spanSource{}
	for _, record := range r.citations {
		for i := range len(record.wire.CitationSources) + len(record.wire.Citations) {
			cited := string(encoded(citationOf(record.wire, i)))
			out[cited] = append(out[cited], spanSource{record.source, citationPointer(record.wire, i)})
		}
	}
	return out
}
