package answer

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Chunks returns the answer to a request as the chunks of a stream. Joined, the chunks equal the
// answer of [To]. Each candidate ends in its last chunk. On the Gemini API every chunk has the
// counts so far; on Vertex AI only the last chunk has counts.
func Chunks(q Question) []*geminiapi.GenerateContentResponse {
	a, whole := newAuthor(q), To(q)
	pieces := make([][]geminiapi.Candidate, len(whole.Candidates))
	count := 1
	for i := range whole.Candidates {
		pieces[i] = a.pieces(&whole.Candidates[i])
		count = max(count, len(pieces[i]))
	}
	chunks := make([]*geminiapi.GenerateContentResponse, count)
	for i := range chunks {
		chunks[i] = a.envelope()
		chunks[i].PromptFeedback = whole.PromptFeedback
		for _, of := range pieces {
			if i < len(of) {
				chunks[i].Candidates = append(chunks[i].Candidates, of[i])
			}
		}
	}
	a.addUsage(chunks, whole.UsageMetadata)
	return chunks
}

// pieces splits a candidate. The first piece has the first words, so that a reader need not wait
// for more.
func (a *author) pieces(c *geminiapi.Candidate) []geminiapi.Candidate {
	if c.Content == nil || len(c.Content.Parts) == 0 {
		return []geminiapi.Candidate{*c}
	}
	var pieces []geminiapi.Candidate
	for i := range c.Content.Parts {
		part := &c.Content.Parts[i]
		switch {
		case part.Text != nil:
			pieces = append(pieces, a.textPieces(c, part)...)
		case part.FunctionCall != nil && a.streamsArguments():
			pieces = append(pieces, callPieces(c, part)...)
		default:
			pieces = append(pieces, piece(c, *part))
		}
	}
	last := &pieces[len(pieces)-1]
	rest := *c
	rest.Content, rest.LogprobsResult = last.Content, last.LogprobsResult
	*last = rest
	return pieces
}

// piece returns a candidate with one part.
func piece(c *geminiapi.Candidate, part geminiapi.Part) geminiapi.Candidate {
	return geminiapi.Candidate{Index: c.Index,
		Content: &geminiapi.Content{Role: c.Content.Role, Parts: []geminiapi.Part{part}}}
}

// The tokens of the first piece of a text, the increase for each next piece, and the maximum.
const (
	firstPiece = 1
	growth     = 4
	maxPiece   = 32
)

// textPieces splits a text and the log probabilities of the answer. A signature of Gemini 3 comes
// last, in a separate part with an empty text.
func (a *author) textPieces(c *geminiapi.Candidate, part *geminiapi.Part) []geminiapi.Candidate {
	var pieces []geminiapi.Candidate
	rest, size, at, sum := tokens(*part.Text), firstPiece, 0, 0.0
	for len(rest) > 0 {
		n := min(size, len(rest))
		of := piece(c, geminiapi.Part{Text: new(strings.Join(rest[:n], "")), Thought: part.Thought})
		if part.Thought == nil {
			of.LogprobsResult = logprobsOf(c.LogprobsResult, at, at+n, &sum)
		}
		pieces = append(pieces, of)
		rest, size, at = rest[n:], min(size*growth, maxPiece), at+n
	}
	if part.ThoughtSignature != nil || len(pieces) == 0 {
		pieces = append(pieces,
			piece(c, geminiapi.Part{Text: new(""), ThoughtSignature: part.ThoughtSignature}))
	}
	return pieces
}

// logprobsOf returns the log probabilities of some tokens of the last text, or nil. The sum is
// cumulative, so the last one is the sum of the whole text.
func logprobsOf(whole *geminiapi.LogprobsResult, from, to int,
	sum *float64) *geminiapi.LogprobsResult {
	if whole == nil || to > len(whole.ChosenCandidates) {
		return nil
	}
	part := &geminiapi.LogprobsResult{ChosenCandidates: whole.ChosenCandidates[from:to]}
	if whole.TopCandidates != nil {
		part.TopCandidates = whole.TopCandidates[from:to]
	}
	for i := range part.ChosenCandidates {
		*sum += *part.ChosenCandidates[i].LogProbability
	}
	part.LogProbabilitySum = new(*sum)
	return part
}

// addUsage sets the counts. A chunk has the counts up to this chunk, and the last chunk the total.
func (a *author) addUsage(chunks []*geminiapi.GenerateContentResponse,
	whole *geminiapi.UsageMetadata) {
	var candidates modalityCount
	for _, chunk := range chunks[:len(chunks)-1] {
		if a.isVertex {
			chunk.UsageMetadata = &geminiapi.UsageMetadata{TrafficType: whole.TrafficType}
			continue
		}
		for i := range chunk.Candidates {
			if chunk.Candidates[i].Content != nil {
				candidates.add(chunk.Candidates[i].Content.Parts)
			}
		}
		chunk.UsageMetadata = soFar(whole, candidates.total())
	}
	chunks[len(chunks)-1].UsageMetadata = whole
}

// soFar returns the counts of a whole answer with fewer candidate tokens.
func soFar(whole *geminiapi.UsageMetadata, candidates int) *geminiapi.UsageMetadata {
	u := *whole
	total := *whole.TotalTokenCount - jsonx.Deref(whole.CandidatesTokenCount) + candidates
	u.TotalTokenCount, u.CandidatesTokenCount = &total, nil
	if candidates > 0 {
		u.CandidatesTokenCount = &candidates
	}
	u.CandidatesTokensDetails = nil
	return &u
}
