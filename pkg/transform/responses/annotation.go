package responses

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// annotations holds the sources of a candidate in the form of the Responses API. Positions count
// characters of the last message. A stream knows the sources only at its end and can annotate no
// other message. The order is: spans that a source supports, spans that quote a source, then
// sources for the answer as a whole. Sources for the whole answer have an empty span at the end of
// the text. Sources of text before the message get the same empty span.
type annotations struct {
	out  []openaiapi.ResponseAnnotation
	seen map[citation]bool

	from, length int // of the message, in characters of the answer
	moved        bool
}

// citation is the key that identifies equal annotations.
type citation struct {
	kind       openaiapi.ResponseAnnotationType
	start, end int
	url, title string
}

// annotateSources annotates the open message.
func (e *encoder) annotateSources(candidate *normalize.Candidate) (moved bool) {
	if candidate.Grounding == nil && len(candidate.Citations) == 0 {
		return false
	}
	text := &e.answer
	from := text.RunesBefore(e.message.start)
	a := annotations{from: from, length: text.RunesBefore(text.Len()) - from,
		seen: map[citation]bool{}}
	if candidate.Grounding != nil {
		a.supports(candidate.Grounding)
	}
	for i := range candidate.Citations {
		cited := &candidate.Citations[i]
		a.add(&cited.Span,
			&normalize.Source{Kind: normalize.SourceWeb, URI: cited.URI, Title: cited.Title})
		a.moved = a.moved || cited.Approximated
	}
	if candidate.Grounding != nil {
		a.sources(candidate.Grounding)
	}
	for i := range a.out {
		e.annotate(a.out[i])
	}
	return a.moved
}

func (a *annotations) supports(g *normalize.Grounding) {
	for i := range g.Supports {
		s := &g.Supports[i]
		for _, source := range s.Sources {
			a.add(&s.Span, &g.Sources[source])
		}
		a.moved = a.moved || s.Approximated
	}
}

// sources adds the sources that no support refers to.
func (a *annotations) sources(g *normalize.Grounding) {
	supported := make([]bool, len(g.Sources))
	for i := range g.Supports {
		for _, source := range g.Supports[i].Sources {
			supported[source] = true
		}
	}
	for i := range g.Sources {
		if !supported[i] {
			a.add(&normalize.Span{}, &g.Sources[i])
		}
	}
}

// add adds an annotation unless an equal one exists or the source has no URL. An empty span means
// that the source belongs to the whole text.
func (a *annotations) add(span *normalize.Span, source *normalize.Source) {
	key := citation{kind: openaiapi.ResponseAnnotationTypeURLCitation, url: source.URI,
		title: source.Title}
	if source.Kind == normalize.SourceRetrieved {
		key.kind, key.url = openaiapi.ResponseAnnotationTypeFileCitation, fileID(source)
	}
	if key.url == "" {
		return
	}
	key.start, key.end = span.Start-a.from, span.End-a.from
	if span.Start == span.End || key.end <= 0 {
		a.moved = a.moved || span.Start != span.End
		key.start, key.end = a.length, a.length
	}
	if key.start < 0 {
		a.moved, key.start = true, 0
	}
	if a.seen[key] {
		return
	}
	a.seen[key] = true
	a.out = append(a.out, key.annotation())
}

func (c *citation) annotation() openaiapi.ResponseAnnotation {
	out := openaiapi.ResponseAnnotation{Type: c.kind}
	if c.kind == openaiapi.ResponseAnnotationTypeFileCitation {
		out.FileID, out.Filename, out.Index = c.url, cmp.Or(c.title, c.url), &c.end
		return out
	}
	out.URL, out.Title, out.StartIndex, out.EndIndex = c.url, &c.title, &c.start, &c.end
	return out
}

// fileID returns the id of a document: its URL, else its title.
func fileID(source *normalize.Source) string { return cmp.Or(source.URI, source.Title) }

const detailMoved = "moved to the nearest position in the last message, because the offsets do not point into it"
