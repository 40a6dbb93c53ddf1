package messages

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// search adds the results of Google Search at the end of a message, because a stream has them only
// there. It adds citations to the text if that is the last block, and for each query a call of the
// server tool with results. isCited reports whether there is a text for the citations.
func (e *encoder) search(g *normalize.Grounding, text string) (isCited bool) {
	if isCited = e.open == anthropicapi.BlockTypeText; isCited {
		for i := range g.Supports {
			e.cite(g, &g.Supports[i], text)
		}
	}
	e.end()
	results := webResults(g)
	if len(g.Queries) == 0 && len(results) > 0 {
		e.searched(emptyObject, results)
	}
	for _, query := range g.Queries {
		e.searched(object("query", query), results)
		results = nil // Gemini does not say which query found which page
	}
	return isCited
}

// searched adds a call of the server tool with its results.
func (e *encoder) searched(input jsontext.Value, results []anthropicapi.ContentBlock) {
	id := e.serverToolID()
	e.searches++
	e.call(anthropicapi.BlockTypeServerToolUse, id, "web_search", input)
	e.whole(&anthropicapi.ContentBlock{
		Type: anthropicapi.BlockTypeWebSearchToolResult, ToolUseID: &id,
		Content: wiretype.ValueOf(wiretype.ListOf(results)),
	})
}

// sealed replaces a value that only Anthropic's server can read.
const sealed = "gemini"

// webResults returns the pages among the sources.
func webResults(g *normalize.Grounding) (out []anthropicapi.ContentBlock) {
	for i := range g.Sources {
		if s := &g.Sources[i]; s.Kind == normalize.SourceWeb {
			out = append(out, anthropicapi.ContentBlock{
				Type: anthropicapi.BlockTypeWebSearchResult, URL: &s.URI,
				Title:            wiretype.Present(s.Title),
				EncryptedContent: wiretype.Present(sealed), PageAge: wiretype.Null[string](),
			})
		}
	}
	return out
}

// cite adds a citation for each page that supports a span of the text.
func (e *encoder) cite(g *normalize.Grounding, s *normalize.Support, text string) {
	cited := citedText(s, text)
	for _, i := range s.Sources {
		if source := &g.Sources[i]; source.Kind == normalize.SourceWeb {
			e.add(&anthropicapi.StreamDelta{Type: anthropicapi.DeltaTypeCitationsDelta,
				Citation: &anthropicapi.Citation{
					Type: anthropicapi.CitationTypeWebSearchResultLocation, CitedText: &cited,
					URL: &source.URI, Title: wiretype.Present(source.Title),
					EncryptedIndex: new(sealed),
				}})
		}
	}
}

// citedText returns the start of a span's text, cut to Anthropic's length.
func citedText(s *normalize.Support, text string) string {
	const longest = 150
	cited := s.Text
	if cited == "" {
		cited = runes(text, s.Start, s.End)
	}
	return runes(cited, 0, longest)
}

// runes returns the characters of a text between two positions.
func runes(text string, from, to int) string {
	begin, end := len(text), len(text)
	count := 0
	for i := range text {
		if count == from {
			begin = i
		}
		if count == to {
			end = i
			break
		}
		count++
	}
	return text[min(begin, end):end]
}

// showsGrounding reports whether a message with search results shows a value of the wire's record.
// Supports are reported separately.
func showsGrounding(path []string) bool {
	switch path[0] {
	case "webSearchQueries", "groundingSupports":
		return true
	case "groundingChunks":
		return len(path) == 4 && path[2] == "web" && (path[3] == "uri" || path[3] == "title")
	default:
		return false
	}
}

const (
	detailCited    = "a citation has the cited text, up to 150 characters, but not its position"
	detailNotCited = "the cited text is not the last block"
)
