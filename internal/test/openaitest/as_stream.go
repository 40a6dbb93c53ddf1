package openaitest

import (
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// AsStream returns a whole answer as a stream like Gemini's: a text in pieces, and the signature of
// the last piece in an empty part after it.
func AsStream(in *geminiapi.GenerateContentResponse) (chunks []*geminiapi.GenerateContentResponse) {
	last := *in
	last.Candidates = nil
	for i := range in.Candidates {
		c := in.Candidates[i]
		end := c
		end.Content = nil
		if c.Content != nil {
			end.Content = &geminiapi.Content{Role: c.Content.Role}
			for j, p := range c.Content.Parts {
				isLast := j == len(c.Content.Parts)-1
				if isLast && p.Text != nil && !jsonx.Deref(p.Thought) && p.ThoughtSignature != nil {
					end.Content.Parts = []geminiapi.Part{{Text: new(""),
						ThoughtSignature: p.ThoughtSignature}}
					p.ThoughtSignature = nil
				}
				for _, piece := range inPieces(p) {
					content := geminiapi.Content{Role: c.Content.Role,
						Parts: []geminiapi.Part{piece}}
					chunks = append(chunks, &geminiapi.GenerateContentResponse{
						ResponseID: in.ResponseID, ModelVersion: in.ModelVersion,
						Candidates: []geminiapi.Candidate{{Index: c.Index, Content: &content}},
					})
				}
			}
		}
		last.Candidates = append(last.Candidates, end)
	}
	return append(chunks, &last)
}

// inPieces splits a part that has only text into two parts.
func inPieces(p geminiapi.Part) []geminiapi.Part {
	rest := p
	rest.Text, rest.Thought = nil, nil
	if p.Text == nil || !rest.IsEmpty() || len(*p.Text) < 2 || !utf8.RuneStart((*p.Text)[1]) {
		return []geminiapi.Part{p}
	}
	first, second := p, p
	first.Text, second.Text = new((*p.Text)[:1]), new((*p.Text)[1:])
	return []geminiapi.Part{first, second}
}
