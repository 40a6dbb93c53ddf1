package reverse

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json"
)

// sources collects the sources of an answer: those of its annotations, and those of the tools that
// Google ran.
type sources struct {
	grounding geminiapi.GroundingMetadata
	pages     []geminiapi.URLMetadata
	// exact has the annotations that the grounding metadata do not have as they were.
	exact []annotated
	// spoken are the parts with what annotations say about speech. They follow the text.
	spoken []geminiapi.Part

	chunkAt   map[string]int // the positions of the sources, by their contents
	supportAt map[span]int   // the positions of the supports
}

// annotated has the annotations of a part, for the extension.
type annotated struct {
	Part        int                          `json:"part"`
	Annotations []interactionsapi.Annotation `json:"annotations"`
}

// span is a span of a part. An offset that is absent is -1.
type span struct{ part, start, end int }

// place is the place of a block of text.
type place struct {
	part int // the position of the part in the answer
	base int // the offset of the block in the text of the part
	text string
}

const (
	detailOrder    = "sources of one span are listed together"
	detailNoSource = "Gemini's format has no source of this type"
	detailNoSpan   = "Gemini's format has it for the whole part"
	detailOneEntry = "searchEntryPoint has the first one"
)

// annotate adds the annotations of a block of text. at returns the pointer of an annotation.
func (t *turn) annotate(p place, annotations []interactionsapi.Annotation, at func(i int) string) {
	if t.sources.supportAt == nil {
		t.sources.supportAt = map[span]int{}
	}
	isExact, last := true, span{}
	for i := range annotations {
		a := &annotations[i]
		chunk, rest, ok := chunkOf(a)
		if !ok {
			isExact = false
			t.speech(a, i, at)
			continue
		}
		s := spanOf(p, a)
		_, isKnown := t.sources.supportAt[s]
		isNew := t.sources.support(p, a, s, t.sources.position(&chunk))
		isMoved := isKnown && s != last || !isNew
		last = s
		isExact = isExact && !isMoved && rest.IsEmpty() && a.StartIndex != nil &&
			a.EndIndex != nil && a.Type == interactionsapi.AnnotationTypeURLCitation
		if t.noExtension {
			t.reportRest(&rest, at(i))
			if isMoved {
				t.entries.Add(report.Approximated, at(i), detailOrder)
			}
		}
	}
	if !isExact && !t.noExtension {
		t.sources.exact = append(t.sources.exact, annotated{p.part, annotations})
	}
}

// reportRest reports the members of an annotation that its source does not have.
func (t *turn) reportRest(rest *interactionsapi.Annotation, pointer string) {
	if !rest.IsEmpty() {
		unshown.Add(&t.entries, pointer, rest, unshown.Nothing, detailNoCounterpart)
	}
}

func spanOf(p place, a *interactionsapi.Annotation) span {
	s := span{p.part, -1, -1}
	if a.StartIndex != nil {
		s.start = p.base + *a.StartIndex
	}
	if a.EndIndex != nil {
		s.end = p.base + *a.EndIndex
	}
	return s
}

// chunkOf returns an annotation as a source, and the members that the source does not have. ok is
// false for annotations that cite nothing.
func chunkOf(a *interactionsapi.Annotation) (chunk geminiapi.GroundingChunk,
	rest interactionsapi.Annotation, ok bool) {
	rest = *a
	switch rest.Type, rest.StartIndex, rest.EndIndex = "", nil, nil; a.Type {
	case interactionsapi.AnnotationTypeURLCitation:
		chunk.Web = &geminiapi.GroundingChunkWeb{URI: a.URL, Title: a.Title}
		rest.URL, rest.Title = nil, nil
	case interactionsapi.AnnotationTypeFileCitation:
		chunk.RetrievedContext = &geminiapi.GroundingChunkRetrievedContext{URI: a.DocumentURI,
			Title: a.FileName, Text: a.Source, PageNumber: a.PageNumber, MediaID: a.MediaID}
		rest.DocumentURI, rest.FileName, rest.Source = nil, nil, nil
		rest.PageNumber, rest.MediaID = nil, nil
		if list, ok := customMetadata(a.CustomMetadata); ok {
			chunk.RetrievedContext.CustomMetadata, rest.CustomMetadata = list, nil
		}
	case interactionsapi.AnnotationTypePlaceCitation:
		chunk.Maps = mapsOf(a.PlaceID, a.Name, a.URL, a.ReviewSnippets)
		rest.PlaceID, rest.Name, rest.URL, rest.ReviewSnippets = nil, nil, nil, nil
	default:
		return chunk, *a, false
	}
	return chunk, rest, true
}

// mapsOf returns a place as a source.
func mapsOf(id, name, url *string,
	snippets []interactionsapi.ReviewSnippet) *geminiapi.GroundingChunkMaps {
	out := &geminiapi.GroundingChunkMaps{PlaceID: id, Title: name, URI: url}
	if len(snippets) > 0 {
		out.PlaceAnswerSources = &geminiapi.PlaceAnswerSources{}
	}
	for i := range snippets {
		s := &snippets[i]
		out.PlaceAnswerSources.ReviewSnippets = append(out.PlaceAnswerSources.ReviewSnippets,
			geminiapi.ReviewSnippet{ReviewID: s.ReviewID, Title: s.Title, GoogleMapsURI: s.URL,
				Unknown: s.Unknown})
	}
	return out
}

// position returns the position of a source, and adds the source if it is new.
func (g *sources) position(chunk *geminiapi.GroundingChunk) int {
	if g.chunkAt == nil {
		g.chunkAt = map[string]int{}
	}
	key := keyOf(chunk)
	at, isThere := g.chunkAt[key]
	if !isThere {
		at = len(g.grounding.GroundingChunks)
		g.chunkAt[key] = at
		g.grounding.GroundingChunks = append(g.grounding.GroundingChunks, *chunk)
		if m := chunk.Maps; m != nil && m.PlaceAnswerSources != nil {
			g.nameWithoutReviews(*m, at)
		}
	}
	return at
}

// nameWithoutReviews makes a citation of a place without reviews cite the place with them.
func (g *sources) nameWithoutReviews(m geminiapi.GroundingChunkMaps, at int) {
	m.PlaceAnswerSources = nil
	key := keyOf(&geminiapi.GroundingChunk{Maps: &m})
	if _, isThere := g.chunkAt[key]; !isThere {
		g.chunkAt[key] = at
	}
}

func keyOf(chunk *geminiapi.GroundingChunk) string {
	key, err := json.Marshal(chunk, jsonx.Canonical)
	if err != nil { // a text that is not UTF-8
		return strconv.Quote(jsonx.Deref(jsonx.Deref(chunk.Web).URI))
	}
	return string(key)
}

// support records that a source supports a span. It reports whether that is new.
func (g *sources) support(p place, a *interactionsapi.Annotation, s span, chunk int) bool {
	at, isKnown := g.supportAt[s]
	if !isKnown {
		at = len(g.grounding.GroundingSupports)
		g.supportAt[s] = at
		segment := &geminiapi.Segment{PartIndex: &p.part}
		if a.StartIndex != nil {
			segment.StartIndex = &s.start
		}
		if a.EndIndex != nil {
			segment.EndIndex = &s.end
		}
		start, end := jsonx.Deref(a.StartIndex), jsonx.Deref(a.EndIndex)
		if 0 <= start && start < end && end <= len(p.text) {
			segment.Text = new(p.text[start:end])
		}
		g.grounding.GroundingSupports = append(g.grounding.GroundingSupports,
			geminiapi.GroundingSupport{Segment: segment})
	}
	support := &g.grounding.GroundingSupports[at]
	for _, known := range support.GroundingChunkIndices {
		if known == chunk {
			return false
		}
	}
	support.GroundingChunkIndices = append(support.GroundingChunkIndices, chunk)
	return true
}

// speech adds what an annotation says about speech as a part, or reports the annotation.
func (t *turn) speech(a *interactionsapi.Annotation, i int, at func(i int) string) {
	rest := *a
	switch rest.Type, rest.StartIndex, rest.EndIndex = "", nil, nil; a.Type {
	case interactionsapi.AnnotationTypeWordInfo:
		t.sources.word(a)
		rest.Text, rest.StartOffset, rest.EndOffset, rest.Speaker = nil, nil, nil, nil
	case interactionsapi.AnnotationTypeSpeechMetadata:
		t.sources.spoken = append(t.sources.spoken, geminiapi.Part{
			SpeechMetadata: &geminiapi.SpeechMetadata{Speaker: a.Speaker, Style: a.Style}})
		rest.Speaker, rest.Style = nil, nil
	default:
		if t.noExtension {
			t.entries.Add(report.Lost, at(i), detailNoSource)
		}
		return
	}
	if t.noExtension {
		t.reportRest(&rest, at(i))
		if a.StartIndex != nil || a.EndIndex != nil {
			t.entries.Add(report.Approximated, at(i), detailNoSpan)
		}
	}
}

// word adds a spoken word to the transcription of its speaker.
func (g *sources) word(a *interactionsapi.Annotation) {
	last := len(g.spoken) - 1
	if last < 0 || g.spoken[last].AudioTranscription == nil ||
		jsonx.Deref(g.spoken[last].AudioTranscription.SpeakerLabel) != jsonx.Deref(a.Speaker) {
		g.spoken = append(g.spoken, geminiapi.Part{
			AudioTranscription: &geminiapi.AudioTranscription{SpeakerLabel: a.Speaker}})
		last++
	}
	transcription := g.spoken[last].AudioTranscription
	transcription.Words = append(transcription.Words, geminiapi.AudioTranscriptionWordInfo{
		Word: a.Text, StartOffset: a.StartOffset, EndOffset: a.EndOffset})
}

// takeSpoken returns the parts about speech since the last call.
func (g *sources) takeSpoken() []geminiapi.Part {
	out := g.spoken
	g.spoken = nil
	return out
}

// addTo sets the metadata of a candidate.
func (g *sources) addTo(candidate *geminiapi.Candidate) {
	if !g.grounding.IsEmpty() {
		candidate.GroundingMetadata = &g.grounding
	}
	if g.pages != nil {
		candidate.URLContextMetadata = &geminiapi.URLContextMetadata{URLMetadata: g.pages}
	}
}

// tool adds the metadata of a step of a tool that Google ran. Its part has the whole step.
func (t *turn) tool(s *interactionsapi.Step, pointer string) {
	g := &t.sources.grounding
	switch s.Type {
	case interactionsapi.StepTypeGoogleSearchCall:
		if jsonx.Deref(s.SearchType) == interactionsapi.SearchTypeImageSearch {
			g.ImageSearchQueries = append(g.ImageSearchQueries, queries(s)...)
		} else {
			g.WebSearchQueries = append(g.WebSearchQueries, queries(s)...)
		}
	case interactionsapi.StepTypeRetrievalCall:
		g.RetrievalQueries = append(g.RetrievalQueries, queries(s)...)
	case interactionsapi.StepTypeGoogleSearchResult:
		for i, result := range resultsOf[interactionsapi.GoogleSearchResult](s) {
			t.suggestions(&result, pointer+"/result/"+strconv.Itoa(i)+"/search_suggestions")
		}
	case interactionsapi.StepTypeURLContextResult:
		for _, page := range resultsOf[interactionsapi.URLContextResult](s) {
			t.sources.pages = append(t.sources.pages, geminiapi.URLMetadata{
				RetrievedURL: page.URL, URLRetrievalStatus: retrievalStatus(page.Status)})
		}
	case interactionsapi.StepTypeGoogleMapsResult:
		for _, result := range resultsOf[interactionsapi.GoogleMapsResult](s) {
			for i := range result.Places {
				p := &result.Places[i]
				t.sources.position(&geminiapi.GroundingChunk{
					Maps: mapsOf(p.PlaceID, p.Name, p.URL, p.ReviewSnippets)})
			}
			g.GoogleMapsWidgetContextToken = cmp.Or(g.GoogleMapsWidgetContextToken,
				result.WidgetContextToken)
		}
	}
}

// suggestions sets the search suggestions. Gemini has them once.
func (t *turn) suggestions(result *interactionsapi.GoogleSearchResult, pointer string) {
	g := &t.sources.grounding
	switch {
	case jsonx.Deref(result.SearchSuggestions) == "":
	case g.SearchEntryPoint == nil:
		g.SearchEntryPoint = &geminiapi.SearchEntryPoint{RenderedContent: result.SearchSuggestions}
	default:
		t.entries.Add(report.Approximated, pointer, detailOneEntry)
	}
}

// queries returns the queries of a search.
func queries(s *interactionsapi.Step) []string {
	var arguments interactionsapi.SearchArguments
	if s.Arguments == nil || json.Unmarshal(s.Arguments, &arguments) != nil {
		return nil
	}
	return arguments.Queries
}

// resultsOf returns the results of a step. A result of another form is no result.
func resultsOf[T any](s *interactionsapi.Step) []T {
	var out []T
	if s.Result == nil || json.Unmarshal(s.Result, &out) != nil {
		return nil
	}
	return out
}
