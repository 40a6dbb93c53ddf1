package aisdk

import (
	"cmp"
	"path"
	"strings"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// anyMediaType is the media type of bytes of an unknown kind.
const anyMediaType = "application/octet-stream"

// media emits a file that is in the stream.
func (s *Stream) media(b *normalize.Block) {
	m := blockMetadata(b)
	m.DisplayName = b.Media.DisplayName
	s.reportMissing(b.Media.MIMEType, "/inlineData/mimeType", detailNoMediaType)
	s.addFile(b.Media.MIMEType, wiretype.FileData{Base64: b.Media.Data}, m)
}

// file emits a file with an address as a source. V3 has no file without data. For V4 the SDK
// downloads addresses at once, and aborts the stream if only Google can read the address. A data
// URL needs no download.
func (s *Stream) file(b *normalize.Block) {
	m := blockMetadata(b)
	if s.options.v4 && isDataURL(b.File.URI) {
		m.DisplayName = b.File.DisplayName
		s.reportMissing(b.File.MIMEType, "/fileData/mimeType", detailNoMediaType)
		s.addFile(b.File.MIMEType, wiretype.FileData{URL: b.File.URI}, m)
		return
	}
	s.addEntry(report.Approximated, "/fileData", "converted to a source, because files have no address")
	s.closeBlock()
	m.FileData = &geminiapi.FileData{
		FileURI:     jsonx.NonEmpty(b.File.URI),
		MIMEType:    jsonx.NonEmpty(b.File.MIMEType),
		DisplayName: jsonx.NonEmpty(b.File.DisplayName),
	}
	if isPage(b.File.URI) {
		s.add(s.pageSource(b.File.URI, b.File.DisplayName, m))
		return
	}
	out := s.documentSource(b.File.URI, b.File.DisplayName, m)
	out.MediaType = cmp.Or(b.File.MIMEType, out.MediaType)
	s.add(out)
}

// isDataURL reports whether an address is a data URL.
func isDataURL(uri string) bool {
	const scheme = "data:"
	return len(uri) >= len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme)
}

// addFile adds a file. V4 distinguishes files that the model made while it thought.
func (s *Stream) addFile(mediaType string, data wiretype.FileData, m partMetadata) {
	s.closeBlock()
	mediaType = cmp.Or(mediaType, anyMediaType)
	if s.options.v4 && m.Thought {
		m.Thought = false
		s.add(aisdkapi.ReasoningFile{MediaType: mediaType, Data: data,
			ProviderMetadata: m.provider()})
		return
	}
	s.add(aisdkapi.File{MediaType: mediaType, Data: data, ProviderMetadata: m.provider()})
}

// isPage reports whether a browser can open an address.
func isPage(uri string) bool {
	return strings.HasPrefix(uri, "https://") || strings.HasPrefix(uri, "http://")
}

func (s *Stream) pageSource(uri, title string, m partMetadata) aisdkapi.URLSource {
	return aisdkapi.URLSource{ID: s.newSourceID(), URL: uri, Title: title,
		ProviderMetadata: m.provider()}
}

// documentSource returns a source that is not a page and may have no address.
func (s *Stream) documentSource(uri, title string, m partMetadata) aisdkapi.DocumentSource {
	out := aisdkapi.DocumentSource{
		ID:               s.newSourceID(),
		MediaType:        anyMediaType,
		Title:            cmp.Or(title, uri, "untitled"),
		ProviderMetadata: m.provider(),
	}
	if uri != "" {
		out.Filename = path.Base(uri)
		out.MediaType = cmp.Or(mediaTypes[strings.ToLower(path.Ext(uri))], anyMediaType)
	}
	return out
}

// mediaTypes maps file extensions to the media types that Google's retrieval tools read.
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
