package dialogue

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// readAnswer reads the response, or puts the chunks of a stream together.
func (v *View) readAnswer(e *Exchange) {
	documents := e.Gemini.Chunks
	isStream := len(documents) > 0
	if !isStream {
		if e.Gemini.Response == "" {
			return
		}
		documents = []string{e.Gemini.Response}
	}
	chunks := make([]*geminiapi.GenerateContentResponse, len(documents))
	for i, document := range documents {
		chunk, err := gemini.DecodeResponse([]byte(document))
		switch {
		case strings.TrimSpace(document) == "[DONE]" || strings.HasPrefix(document, ":"):
		case err != nil:
			v.noteOnce(noteCutAnswer)
		case gemini.IsError(chunk):
			v.noteError(document)
		default:
			chunks[i] = chunk
		}
	}
	whole, place := chunks[0], func(pointer string) string { return pointer }
	if isStream {
		merged := normalize.Merge(chunks...)
		whole, place = merged.Response, placeInChunks(merged)
	}
	if whole == nil {
		return
	}
	v.showAnswer(e, whole, place)
}

// noteOnce adds a sentence to the note, unless the note has it.
func (v *View) noteOnce(text string) {
	if !strings.Contains(v.Note, text) {
		v.note(text)
	}
}

// noteError notes the error in place of an answer.
func (v *View) noteError(document string) {
	failure := gemini.DecodeError(0, nil, []byte(document))
	text := strings.TrimSuffix(strings.TrimSpace(failure.Message), ".")
	if text == "" {
		text = string(failure.Status)
	}
	v.noteOnce("Gemini answered with an error: " + text + ".")
}

// placeInChunks returns a function that converts a location in a merged answer to the location of
// its first piece in the list of chunks.
func placeInChunks(merged normalize.Merged) func(string) string {
	return func(pointer string) string {
		in := merged.InChunks(report.Report{{Pointer: pointer, Kind: report.Approximated}})
		if len(in) == 0 {
			return pointer
		}
		return in[0].Pointer
	}
}

// showAnswer adds the candidates of an answer.
func (v *View) showAnswer(e *Exchange, whole *geminiapi.GenerateContentResponse,
	place func(string) string) {
	document := e.Gemini.Response
	if len(e.Gemini.Chunks) > 0 {
		document = listOf(e.Gemini.Chunks)
	}
	l := newLocator(e, document, e.Client.Response, e.Client.Chunks, e.Counterparts.Response)
	l.hasChunks = len(e.Gemini.Chunks) > 0
	for i := range whole.Candidates {
		candidate := &whole.Candidates[i]
		m := Message{Role: Model, Parts: []Part{}}
		at := "/candidates/" + decimal(i)
		if candidate.Content != nil {
			for j := range candidate.Content.Parts {
				m.Parts = append(m.Parts, l.part(&candidate.Content.Parts[j],
					place(at+"/content/parts/"+decimal(j))))
			}
		}
		if g := candidate.GroundingMetadata; g != nil {
			m.Parts = append(m.Parts, l.search(g, place(at+"/groundingMetadata")))
		}
		v.Answer = append(v.Answer, m)
		if i == 0 {
			v.Finish = string(jsonx.Deref(candidate.FinishReason))
		}
	}
	v.noteAnswer(whole)
}

// noteAnswer notes what an answer says apart from its candidates.
func (v *View) noteAnswer(whole *geminiapi.GenerateContentResponse) {
	if f := whole.PromptFeedback; f != nil && f.BlockReason != nil {
		v.note("Gemini blocked the prompt: " + string(*f.BlockReason) + ".")
	}
	if whole.UsageMetadata != nil {
		u := normalize.NewUsage(whole.UsageMetadata)
		output := u.OutputTokens + u.ThinkingTokens
		v.Usage = &Usage{Input: u.InputTokens, Output: output, Thinking: u.ThinkingTokens,
			Cached: u.CachedTokens, Total: u.InputTokens + output}
	}
}

// search returns the queries and sources of an answer as a part.
func (l *locator) search(g *geminiapi.GroundingMetadata, pointer string) Part {
	p := Part{Kind: KindSearch, Name: "google_search", Text: strings.Join(g.WebSearchQueries, "\n"),
		JSON: compact(g), Gemini: &pointer}
	var leads []string
	for i := range g.GroundingChunks {
		if web := g.GroundingChunks[i].Web; web != nil {
			leads = append(leads, jsonx.Deref(web.URI))
		}
	}
	p.Client = l.find(pointer, append(leads, g.WebSearchQueries...))
	return p
}
