package responses

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// serverCall adds a call of a Google tool that the Responses API has too. The part itself is in a
// token.
func (e *encoder) serverCall(call *normalize.ServerToolCall) {
	switch call.Tool {
	case geminiapi.ToolTypeGoogleSearchWeb:
		e.searched = true
		e.webSearch(queriesOf(call.Arguments), nil)
	case geminiapi.ToolTypeFileSearch:
		e.fileSearch(queriesOf(call.Arguments), nil)
	}
}

// queriesOf returns the queries of a search. No description defines its arguments.
func queriesOf(arguments jsontext.Value) []string {
	var in struct {
		Queries []string `json:"queries"`
		Query   string   `json:"query"`
	}
	if json.Unmarshal(arguments, &in) != nil {
		return []string{}
	}
	if in.Query != "" {
		in.Queries = append(in.Queries, in.Query)
	}
	return append([]string{}, in.Queries...)
}

// searches adds items for the searches in the answer's grounding. They come after the answer,
// because a stream has them only then.
func (e *encoder) searches(candidate *normalize.Candidate) {
	if g := candidate.Grounding; g != nil {
		if len(g.Queries) > 0 && !e.searched {
			e.webSearch(g.Queries, e.sources(g))
		}
		if found := e.found(g); found != nil {
			e.fileSearch(append([]string{}, g.Wire.RetrievalQueries...), found)
		}
	}
	for i := range candidate.URLContext {
		if url := jsonx.Deref(candidate.URLContext[i].RetrievedURL); url != "" {
			e.openPage(url, &candidate.URLContext[i])
		}
	}
}

// webSearch adds a completed web search.
func (e *encoder) webSearch(queries []string, sources []openaiapi.ResponseSource) {
	action := openaiapi.ResponseAction{Type: openaiapi.ResponseActionTypeSearch, Queries: queries,
		Sources: sources}
	if len(queries) > 0 {
		action.Query = queries[0]
	}
	e.web(&openaiapi.ResponseAction{Type: action.Type, Queries: []string{}}, &action,
		openaiapi.ResponseItemStatusCompleted)
}

// openPage adds an item for a page that was read.
func (e *encoder) openPage(url string, page *geminiapi.URLMetadata) {
	status := openaiapi.ResponseItemStatusCompleted
	if jsonx.Deref(page.URLRetrievalStatus) != geminiapi.URLRetrievalStatusSuccess {
		status = openaiapi.ResponseItemStatusFailed
	}
	action := openaiapi.ResponseAction{Type: openaiapi.ResponseActionTypeOpenPage, URL: url}
	e.web(&action, &action, status)
}

// web adds a call that searches the web or opens a page, with its action at the start and at the
// end.
func (e *encoder) web(begun, action *openaiapi.ResponseAction,
	status openaiapi.ResponseItemStatus) {
	e.begin("ws_", &openaiapi.ResponseItem{
		Type:   openaiapi.ResponseItemTypeWebSearchCall,
		Status: openaiapi.ResponseItemStatusInProgress,
		Action: wiretype.ValueOf(wiretype.OneOf(*begun)),
	})
	if e.streams {
		e.emitOf(openaiapi.ResponseEventTypeWebSearchCallInProgress)
		e.emitOf(openaiapi.ResponseEventTypeWebSearchCallSearching)
		e.emitOf(openaiapi.ResponseEventTypeWebSearchCallCompleted)
	}
	e.item.Status, e.item.Action = status, wiretype.ValueOf(wiretype.OneOf(*action))
	e.done()
}

// fileSearch adds a completed file search.
func (e *encoder) fileSearch(queries []string, found []openaiapi.ResponseSearchResult) {
	e.begin("fs_", &openaiapi.ResponseItem{
		Type:   openaiapi.ResponseItemTypeFileSearchCall,
		Status: openaiapi.ResponseItemStatusInProgress, Queries: []string{},
	})
	if e.streams {
		e.emitOf(openaiapi.ResponseEventTypeFileSearchCallInProgress)
		e.emitOf(openaiapi.ResponseEventTypeFileSearchCallSearching)
		e.emitOf(openaiapi.ResponseEventTypeFileSearchCallCompleted)
	}
	e.item.Status, e.item.Queries = openaiapi.ResponseItemStatusCompleted, queries
	if e.includes(openaiapi.ResponseIncludeFileSearchResults) {
		e.item.Results = found
	}
	e.done()
}

// includes reports whether the request asks for an additional output.
func (o *options) includes(what openaiapi.ResponseInclude) bool {
	return o.request != nil && slices.Contains(o.request.Include, what)
}

// sources returns the pages that a search found, if the request asks for them.
func (e *encoder) sources(g *normalize.Grounding) []openaiapi.ResponseSource {
	if !e.includes(openaiapi.ResponseIncludeWebSearchSources) {
		return nil
	}
	out := []openaiapi.ResponseSource{}
	for i := range g.Sources {
		if s := &g.Sources[i]; s.Kind == normalize.SourceWeb && s.URI != "" {
			out = append(out,
				openaiapi.ResponseSource{Type: openaiapi.SearchSourceTypeURL, URL: s.URI})
		}
	}
	return out
}

// found returns the document chunks that a search found, or nil.
func (e *encoder) found(g *normalize.Grounding) (out []openaiapi.ResponseSearchResult) {
	if g.Wire == nil {
		return nil
	}
	for i := range g.Wire.GroundingChunks {
		if r := g.Wire.GroundingChunks[i].RetrievedContext; r != nil {
			out = append(out, openaiapi.ResponseSearchResult{
				FileID: fileID(&g.Sources[i]), Filename: g.Sources[i].Title, Text: r.Text,
			})
		}
	}
	return out
}
