package aisdk

import (
	"cmp"
	"path"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	aisdkapi "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// anyMediaType is the media type of bytes of which nothing more is known.
const anyMediaType = "application/octet-stream"

// media tells of a file that is in the stream.
func (s *Stream) media(b *normalize.Block) {
	m := blockMetadata(b)
	m.DisplayName = b.Media.DisplayName
	s.addFile(aisdkapi.File{MediaType: cmp.Or(b.Media.MIMEType, anyMediaType), Data: b.Media.Data}, m)
}

// file tells of a file by its address, which is a source: V3 has no file without data, and for V4 the
// SDK fetches what has an address at once, and gives up the stream for one that only Google can open.
// An address that holds the data needs no fetching.
func (s *Stream) file(b *normalize.Block) {
	m := blockMetadata(b)
	if s.options.v4 && isDataURL(b.File.URI) {
		m.DisplayName = b.File.DisplayName
		s.addFile(aisdkapi.File{MediaType: cmp.Or(b.File.MIMEType, anyMediaType), URL: b.File.URI}, m)
		return
	}
	s.closeBlock()
	m.FileData = &geminiapi.FileData{
		FileURI:     optional(b.File.URI),
		MIMEType:    optional(b.File.MIMEType),
		DisplayName: optional(b.File.DisplayName),
	}
	out := addressSource(b.File.URI, b.File.DisplayName)
	out.ID, out.ProviderMetadata = s.newSourceID(), m.provider()
	if out.SourceType == aisdkapi.SourceDocument {
		out.MediaType = cmp.Or(b.File.MIMEType, out.MediaType)
	}
	s.add(out)
}

// isDataURL reports whether an address is the data itself.
func isDataURL(uri string) bool {
	const scheme = "data:"
	return len(uri) >= len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme)
}

// addFile adds a file, which V4 tells apart from one that the model made while it thought.
func (s *Stream) addFile(f aisdkapi.File, m partMetadata) {
	s.closeBlock()
	if s.options.v4 && m.Thought {
		m.Thought = false
		s.add(aisdkapi.ReasoningFile{MediaType: f.MediaType, Data: f.Data, URL: f.URL, ProviderMetadata: m.provider()})
		return
	}
	f.ProviderMetadata = m.provider()
	s.add(f)
}

// addressSource returns the source for an address: a page, or for what a browser cannot open, a
// document.
func addressSource(uri, title string) aisdkapi.Source {
	if strings.HasPrefix(uri, "https://") || strings.HasPrefix(uri, "http://") {
		return aisdkapi.Source{SourceType: aisdkapi.SourceURL, URL: uri, Title: title}
	}
	out := aisdkapi.Source{SourceType: aisdkapi.SourceDocument, MediaType: anyMediaType, Title: cmp.Or(title, uri, "untitled")}
	if uri != "" {
		out.Filename = path.Base(uri)
		out.MediaType = cmp.Or(mediaTypes[strings.ToLower(path.Ext(uri))], anyMediaType)
	}
	return out
}

// mediaTypes are those of the documents that Google's retrieval tools read, by file name extension.
var mediaTypes = map[string]string{
	".csv":      "text/csv",
	".doc":      "application/msword",
	".docx":     "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".htm":      "text/html",
	".html":     "text/html",
	".json":     "application/json",
	".jsonl":    "application/jsonl",
	".markdown": "text/markdown",
	".md":       "text/markdown",
	".pdf":      "application/pdf",
	".pptx":     "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".rtf":      "application/rtf",
	".txt":      "text/plain",
	".xlsx":     "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".xml":      "application/xml",
}
