package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Citation is a place where the text quotes a source at length. The span is empty if the wire names
// only the source.
type Citation struct {
	Span
	// URI is the source's address, "" if the wire has none.
	URI string `json:"uri,omitzero"`
	// Title is the source's title, "" if the wire has none (Vertex AI).
	Title string `json:"title,omitzero"`
	// License is the source's licence, "" if the wire has none.
	License string `json:"license,omitzero"`
	// Published is the date of publication, nil if the wire has none (Vertex AI).
	Published *geminiapi.Date `json:"published,omitzero" validate:"-"`
}

// newCitations converts both lists of the record: the Gemini API fills one, Vertex AI the other.
// Both are read as byte offsets over the whole answer, although only the Gemini API documents that.
func newCitations(m *geminiapi.CitationMetadata, text *textIndex) []Citation {
	if m == nil || len(m.CitationSources)+len(m.Citations) == 0 {
		return nil
	}
	out := make([]Citation, 0, len(m.CitationSources)+len(m.Citations))
	for _, list := range [][]geminiapi.CitationSource{m.CitationSources, m.Citations} {
		for i := range list {
			out = append(out, newCitation(&list[i], text))
		}
	}
	return out
}

func newCitation(c *geminiapi.CitationSource, text *textIndex) Citation {
	return Citation{
		Span:      text.span(0, true, jsonx.Deref(c.StartIndex), jsonx.Deref(c.EndIndex), ""),
		URI:       jsonx.Deref(c.URI),
		Title:     jsonx.Deref(c.Title),
		License:   jsonx.Deref(c.License),
		Published: c.PublicationDate,
	}
}
