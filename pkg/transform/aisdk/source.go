package aisdk

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// grounding emits the sources in a chunk's record. The record itself goes into the finish, as do
// the records of citations and pages.
func (s *Stream) grounding(e *normalize.Event) {
	for i := range e.Grounding.GroundingChunks {
		s.groundingChunk(&e.Grounding.GroundingChunks[i])
	}
	s.keep(e)
}

func (s *Stream) groundingChunk(c *geminiapi.GroundingChunk) {
	switch {
	case c.Web != nil:
		s.page(jsonx.Deref(c.Web.URI), jsonx.Deref(c.Web.Title))
	case c.RetrievedContext != nil:
		s.retrieved(c.RetrievedContext)
	case c.Maps != nil:
		s.page(jsonx.Deref(c.Maps.URI), jsonx.Deref(c.Maps.Title))
	case c.Image != nil: // Google requires the page to be named, not the picture
		s.page(cmp.Or(jsonx.Deref(c.Image.SourceURI), jsonx.Deref(c.Image.ImageURI)),
			jsonx.Deref(c.Image.Title))
	}
}

// retrieved emits a document of file search, RAG or Vertex AI Search. Documents of a file search
// store have no address.
func (s *Stream) retrieved(c *geminiapi.GroundingChunkRetrievedContext) {
	uri := jsonx.Deref(c.URI)
	title := cmp.Or(jsonx.Deref(c.Title), jsonx.Deref(c.DocumentName))
	key := cmp.Or(uri, cmp.Or(jsonx.Deref(c.FileSearchStore), "documents")+"\x00"+
		cmp.Or(jsonx.Deref(c.DocumentName), title))
	if uri == "" && title == "" && jsonx.Deref(c.FileSearchStore) == "" || !s.isNewSource(key) {
		return
	}
	if isPage(uri) {
		s.send(s.pageSource(uri, title, partMetadata{}))
	} else {
		s.send(s.documentSource(uri, title, partMetadata{URI: uri}))
	}
}

func (s *Stream) citations(e *normalize.Event) {
	for _, list := range [][]geminiapi.CitationSource{e.Citations.CitationSources,
		e.Citations.Citations} {
		for i := range list {
			s.page(jsonx.Deref(list[i].URI), jsonx.Deref(list[i].Title))
		}
	}
	s.keep(e)
}

// urlContext emits the pages that the model could read.
func (s *Stream) urlContext(e *normalize.Event) {
	for i := range e.URLContext.URLMetadata {
		if page := &e.URLContext.URLMetadata[i]; jsonx.Deref(
			page.URLRetrievalStatus) == geminiapi.URLRetrievalStatusSuccess {
			s.page(jsonx.Deref(page.RetrievedURL), "")
		}
	}
	s.keep(e)
}

func (s *Stream) page(url, title string) {
	if url != "" && s.isNewSource(url) {
		s.send(s.pageSource(url, title, partMetadata{}))
	}
}

// isNewSource reports whether a source has not been sent yet.
func (s *Stream) isNewSource(key string) bool {
	if s.sources[key] {
		return false
	}
	if s.sources == nil {
		s.sources = map[string]bool{}
	}
	s.sources[key] = true
	return true
}

func (s *Stream) newSourceID() string {
	if s.options.sourceID != nil {
		if id := s.options.sourceID(); id != "" {
			return id
		}
	}
	return normalize.RandomID()
}
