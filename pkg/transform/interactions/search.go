package interactions

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// toolSteps are the steps of tools that Google ran, so far.
type toolSteps struct {
	seen map[interactionsapi.StepType]bool
	// derived are the tools whose steps were made of metadata.
	derived map[string]bool
	// payloads are arguments and results that says has not read yet, and texts what it has read.
	payloads []jsontext.Value
	texts    map[string]bool
}

// add records a step.
func (t *toolSteps) add(s *interactionsapi.Step) {
	if t.seen == nil {
		t.seen = map[interactionsapi.StepType]bool{}
	}
	t.seen[s.Type] = true
	t.payloads = append(t.payloads, s.Arguments, s.Result)
}

// derive records that steps of a tool are made of metadata.
func (t *toolSteps) derive(name string) {
	if t.derived == nil {
		t.derived = map[string]bool{}
	}
	t.derived[name] = true
}

// says reports whether a step has a text.
func (t *toolSteps) says(text string) bool {
	if t.texts == nil {
		t.texts = map[string]bool{}
	}
	for ; len(t.payloads) > 0; t.payloads = t.payloads[1:] {
		dec := jsontext.NewDecoder(bytes.NewReader(t.payloads[0]))
		for {
			token, err := dec.ReadToken()
			if err != nil {
				break
			}
			if token.Kind() == jsontext.KindString {
				t.texts[token.String()] = true
			}
		}
	}
	return t.texts[text]
}

// derived adds the steps of tools that Google ran, if only metadata of the candidate say so. They
// follow the answer, because a stream has the metadata only at its end. Google's own interactions
// have them there too.
func (e *encoder) derived(g *geminiapi.GroundingMetadata, pages []geminiapi.URLMetadata) {
	if g != nil {
		e.searched(g)
		e.locatedPlaces(g)
	}
	if len(pages) > 0 && !e.tools.seen[interactionsapi.StepTypeURLContextCall] {
		e.readPages(pages)
	}
}

// searched adds the searches of Google Search, and the suggestions that an application must show.
func (e *encoder) searched(g *geminiapi.GroundingMetadata) {
	if e.tools.seen[interactionsapi.StepTypeGoogleSearchCall] ||
		e.tools.seen[interactionsapi.StepTypeGoogleSearchResult] {
		return
	}
	suggestions := suggestionsOf(g)
	if len(g.WebSearchQueries) > 0 || suggestions != nil {
		e.tool("google_search", interactionsapi.Step{
			SearchType: new(interactionsapi.SearchTypeWebSearch),
			Arguments:  queries(g.WebSearchQueries),
		}, suggestions)
	}
	if len(g.ImageSearchQueries) > 0 {
		e.tool("google_search", interactionsapi.Step{
			SearchType: new(interactionsapi.SearchTypeImageSearch),
			Arguments:  queries(g.ImageSearchQueries),
		}, nil)
	}
}

// suggestionsOf returns the result of a search, or nil.
func suggestionsOf(g *geminiapi.GroundingMetadata) jsontext.Value {
	if g.SearchEntryPoint == nil || jsonx.Deref(g.SearchEntryPoint.RenderedContent) == "" {
		return nil
	}
	return encoded([]interactionsapi.GoogleSearchResult{
		{SearchSuggestions: g.SearchEntryPoint.RenderedContent}})
}

// locatedPlaces adds the places of Google Maps, and the token of the map with them. Without a token
// annotations show the places, if there are any.
func (e *encoder) locatedPlaces(g *geminiapi.GroundingMetadata) {
	result := interactionsapi.GoogleMapsResult{WidgetContextToken: g.GoogleMapsWidgetContextToken}
	for i := range g.GroundingChunks {
		if m := g.GroundingChunks[i].Maps; m != nil {
			result.Places = append(result.Places, interactionsapi.Place{PlaceID: m.PlaceID,
				Name: m.Title, URL: m.URI, ReviewSnippets: reviewSnippets(m.PlaceAnswerSources)})
		}
	}
	if e.tools.seen[interactionsapi.StepTypeGoogleMapsCall] ||
		e.tools.seen[interactionsapi.StepTypeGoogleMapsResult] ||
		result.WidgetContextToken == nil && (result.Places == nil || len(e.sources.placed) > 0) {
		return
	}
	e.tool("google_maps", interactionsapi.Step{Arguments: emptyObject},
		encoded([]interactionsapi.GoogleMapsResult{result}))
}

// readPages adds the pages that the model read.
func (e *encoder) readPages(pages []geminiapi.URLMetadata) {
	results := make([]interactionsapi.URLContextResult, len(pages))
	arguments := interactionsapi.SearchArguments{}
	for i := range pages {
		p := &pages[i]
		results[i].URL = p.RetrievedURL
		if p.RetrievedURL != nil {
			arguments.Urls = append(arguments.Urls, *p.RetrievedURL)
		}
		if p.URLRetrievalStatus != nil {
			results[i].Status = new(pageStatus(*p.URLRetrievalStatus))
		}
	}
	e.tool("url_context", interactionsapi.Step{Arguments: encoded(arguments)}, encoded(results))
}

// pageStatusPrefix begins Gemini's words for whether a page was read. The rest is the word of an
// interaction, in upper case.
const pageStatusPrefix = "URL_RETRIEVAL_STATUS_"

// pageStatus returns whether a page was read.
func pageStatus(s geminiapi.URLRetrievalStatus) interactionsapi.URLContextStatus {
	return interactionsapi.URLContextStatus(strings.ToLower(
		strings.TrimPrefix(string(s), pageStatusPrefix)))
}

// tool adds the call of a tool and its result. Their id is made.
func (e *encoder) tool(name string, call interactionsapi.Step, result jsontext.Value) {
	e.tools.derive(name)
	id := e.unique(name + "_" + e.responseID)
	call.Type, call.ID, call.Unknown = interactionsapi.StepType(name+"_call"), &id, e.derivedMark()
	e.addTool(&call)
	if result == nil {
		result = emptyList
	}
	e.addTool(&interactionsapi.Step{Type: interactionsapi.StepType(name + "_result"), CallID: &id,
		Result: result, IsError: new(false), Unknown: e.derivedMark()})
}

// emptyList is never written to.
var emptyList = jsontext.Value("[]")

// derivedMark returns the extension of a step that Gemini's answer does not have as a part. A
// request must not send such a step to Gemini.
func (e *encoder) derivedMark() jsontext.Value {
	if e.plain {
		return nil
	}
	return slices.Clone(mark)
}

// mark is never written to.
var mark = extraContent(`"derived":true`)

// queries returns the arguments of a search.
func queries(list []string) jsontext.Value {
	return encoded(interactionsapi.SearchArguments{Queries: list})
}

// encoded returns a value without free-form members as JSON.
func encoded(v any) jsontext.Value {
	out, err := json.Marshal(v, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return out
}
