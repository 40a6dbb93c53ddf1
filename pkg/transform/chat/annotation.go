package chat

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// annotations holds the sources of a candidate as url_citation. Positions count characters of the
// message's content. The order is: spans of text that a source supports, spans that quote a source,
// then sources and pages for the answer as a whole. Sources and pages for the whole answer have an
// empty span at the end of the text. A source without a URL has no annotation.
type annotations struct {
	out []openaiapi.Annotation

	candidate *normalize.Candidate
	at        int
	seen      map[citation]bool
	end       int // length of the text in characters; -1 until it is needed

	moved          []int // supports whose offsets did not point at their text
	movedCitations []int
}

// citation is the key that identifies equal annotations.
type citation struct {
	start, end int
	url, title string
}

func newAnnotations(candidate *normalize.Candidate, at int) annotations {
	a := annotations{candidate: candidate, at: at, end: -1}
	if most := a.most(); most > 0 {
		a.out = make([]openaiapi.Annotation, 0, most)
		a.seen = make(map[citation]bool, most)
		a.supports()
		a.citations()
		a.sources()
		a.pages()
	}
	return a
}

// most returns the maximum number of annotations.
func (a *annotations) most() int {
	n := len(a.candidate.Citations) + len(a.candidate.URLContext)
	if g := a.candidate.Grounding; g != nil {
		n += len(g.Sources)
		for i := range g.Supports {
			n += len(g.Supports[i].Sources)
		}
	}
	return n
}

func (a *annotations) supports() {
	g := a.candidate.Grounding
	if g == nil {
		return
	}
	for i := range g.Supports {
		s := &g.Supports[i]
		for _, source := range s.Sources {
			a.add(&s.Span, g.Sources[source].URI, g.Sources[source].Title)
		}
		if s.Approximated && a.hasAddress(s) {
			a.moved = append(a.moved, i)
		}
	}
}

// hasAddress reports whether a support produced an annotation.
func (a *annotations) hasAddress(s *normalize.Support) bool {
	return slices.ContainsFunc(s.Sources,
		func(i int) bool { return a.candidate.Grounding.Sources[i].URI != "" })
}

func (a *annotations) citations() {
	for i := range a.candidate.Citations {
		cited := &a.candidate.Citations[i]
		if cited.URI == "" {
			continue
		}
		a.add(&cited.Span, cited.URI, cited.Title)
		if cited.Approximated {
			a.movedCitations = append(a.movedCitations, i)
		}
	}
}

// citationPointer returns the pointer of citation i. The model joins two lists of the wire: first
// the list of the Gemini API, then the list of Vertex AI.
func citationPointer(wire *geminiapi.CitationMetadata, i int) string {
	if wire != nil && i >= len(wire.CitationSources) {
		return "/citationMetadata/citations/" + strconv.Itoa(i-len(wire.CitationSources))
	}
	return "/citationMetadata/citationSources/" + strconv.Itoa(i)
}

// citationOf returns citation i from the list that has it.
func citationOf(wire *geminiapi.CitationMetadata, i int) *geminiapi.CitationSource {
	if i >= len(wire.CitationSources) {
		return &wire.Citations[i-len(wire.CitationSources)]
	}
	return &wire.CitationSources[i]
}

// sources adds the sources that no support refers to.
func (a *annotations) sources() {
	g := a.candidate.Grounding
	if g == nil || len(g.Sources) == 0 {
		return
	}
	supported := make([]bool, len(g.Sources))
	for i := range g.Supports {
		for _, source := range g.Supports[i].Sources {
			supported[source] = true
		}
	}
	for i := range g.Sources {
		if !supported[i] {
			a.add(&normalize.Span{}, g.Sources[i].URI, g.Sources[i].Title)
		}
	}
}

// pages adds the pages that the model could read.
func (a *annotations) pages() {
	for i := range a.candidate.URLContext {
		if page := &a.candidate.URLContext[i]; wasRead(page) {
			a.add(&normalize.Span{}, *page.RetrievedURL, "")
		}
	}
}

func wasRead(page *geminiapi.URLMetadata) bool {
	return page.RetrievedURL != nil && *page.RetrievedURL != "" &&
		page.URLRetrievalStatus != nil &&
		*page.URLRetrievalStatus == geminiapi.URLRetrievalStatusSuccess
}

// add adds an annotation unless an equal one exists. An empty span means that the source belongs to
// the whole text.
func (a *annotations) add(span *normalize.Span, url, title string) {
	if url == "" {
		return
	}
	key := citation{start: span.Start, end: span.End, url: url, title: cmp.Or(title, url)}
	if span.Start == span.End {
		if a.end < 0 {
			a.end = utf8.RuneCountInString(a.candidate.Text())
		}
		key.start, key.end = a.end, a.end
	}
	if a.seen[key] {
		return
	}
	a.seen[key] = true
	a.out = append(a.out, openaiapi.Annotation{
		Type: openaiapi.AnnotationTypeURLCitation,
		URLCitation: openaiapi.URLCitation{StartIndex: key.start, EndIndex: key.end, URL: key.url,
			Title: key.title},
	})
}

const detailMoved = "moved to the nearest occurrence of the text, because the offsets do not point at it"

// detailUnchecked is the detail of spans that were not compared with the text, which was not kept.
const detailUnchecked = "the request asked for no sources, so the offsets are not checked"

// report reports the annotations whose positions differ from those on the wire.
func (a *annotations) report(r *report.Report) {
	for _, i := range a.moved {
		r.Add(report.Approximated, answer.Pointer(a.at, segmentPointer(i)), detailMoved)
	}
	for _, i := range a.movedCitations {
		r.Add(report.Approximated,
			answer.Pointer(a.at, citationPointer(openaianswer.CitationMetadata(a.candidate), i)),
			detailMoved)
	}
}

// segmentPointer returns the pointer of a support's segment within a candidate.
func segmentPointer(support int) string {
	return "/groundingMetadata/groundingSupports/" + strconv.Itoa(support) + "/segment"
}
