package responses

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// annotations are a candidate's sources in the form of the Responses API, with the positions in
// characters of the last message, which is the only one that a stream can still annotate when it
// learns of them. First come the stretches that a source supports, then those that quote one, then
// the sources that stand behind the answer as a whole, which have an empty stretch at the end of
// the text. What supports a text before the message has its place there too.
type annotations struct {
	out  []openaiapi.ResponseAnnotation
	seen map[citation]bool

	from, length int // of the message, in characters of the answer
	moved        bool
}

// citation is the key by which annotations are equal.
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

// sources adds those that no support refers to.
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

// add adds an annotation unless it is there already, or the source has no address. An empty span
// means that the source is not tied to a stretch.
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

// fileID returns what names a document: its address, or else its name.
func fileID(source *normalize.Source) string { return cmp.Or(source.URI, source.Title) }

const detailMoved = "told at the nearest place of the last message, as the offsets do not point into it"
