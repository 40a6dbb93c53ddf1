package script

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// given returns a Given that completes an answer in the same way as the fake's own answers.
func (out *output) given() (answer.Given, bool) {
	r := out.request
	if r.Content == nil {
		return answer.Given{}, false
	}
	return answer.GivenTo(answer.Question{Request: r.Content, Model: r.Model, Backend: r.Backend,
		When: out.when, CachedTokens: out.cachedTokens}), true
}

// complete adds signatures and counts to a response.
func (out *output) complete(response *geminiapi.GenerateContentResponse) {
	a := out.answer
	g, ok := out.given()
	if !ok || len(response.Candidates) == 0 {
		return
	}
	for i := range response.Candidates {
		if content := response.Candidates[i].Content; content != nil && !a.isSigned() {
			content.Parts = signed(g, content.Parts)
		}
	}
	g.Count(response)
	if a.Usage != nil {
		response.UsageMetadata = a.Usage
	}
}

// completeChunks adds signatures and counts to the chunks of a stream. The signature of a text
// comes last, on an empty text.
func (out *output) completeChunks(steps []step) {
	a := out.answer
	g, ok := out.given()
	if !ok || hasExact(steps) {
		return
	}
	chunks := chunksOf(steps)
	if len(chunks) == 0 {
		return
	}
	whole := mergedChunks(steps)
	for i := range whole.Candidates {
		candidate := &whole.Candidates[i]
		if candidate.Content != nil && !a.isSigned() {
			spread(signed(g, candidate.Content.Parts),
				ofCandidate(chunks, jsonx.Deref(candidate.Index)))
		}
	}
	g.CountChunks(chunks, whole.Candidates)
	if a.Usage != nil {
		chunks[len(chunks)-1].UsageMetadata = a.Usage
	}
}

// ofCandidate returns the chunks with pieces of a candidate.
func ofCandidate(chunks []*geminiapi.GenerateContentResponse,
	index int) []*geminiapi.GenerateContentResponse {
	return slices.DeleteFunc(slices.Clone(chunks),
		func(chunk *geminiapi.GenerateContentResponse) bool { return indexOf(chunk) != index })
}

// signed returns the parts with a signature. It copies them, because a response may share them with
// its chunks.
func signed(g answer.Given, parts []geminiapi.Part) []geminiapi.Part {
	parts = slices.Clone(parts)
	g.Sign(parts)
	return parts
}

// spread copies the signature of a whole answer to the chunk where a stream has it.
func spread(parts []geminiapi.Part, chunks []*geminiapi.GenerateContentResponse) {
	i := slices.IndexFunc(parts, func(p geminiapi.Part) bool { return p.ThoughtSignature != nil })
	if i < 0 {
		return
	}
	signature := parts[i].ThoughtSignature
	if parts[i].FunctionCall == nil {
		last := &chunks[len(chunks)-1].Candidates[0]
		if last.FinishReason != nil { // and there is no fault before the end
			last.Content.Parts = append(last.Content.Parts,
				geminiapi.Part{Text: new(""), ThoughtSignature: signature})
		}
		return
	}
	for _, chunk := range chunks {
		if part := &chunk.Candidates[0].Content.Parts[0]; part.FunctionCall != nil {
			part.ThoughtSignature = signature
			return
		}
	}
}

// isSigned reports whether the script sets signatures, so that the fake adds none.
func (a *Answer) isSigned() bool {
	return slices.ContainsFunc(a.Blocks, func(b Block) bool {
		return b.Signature != nil || b.Part != nil && b.Part.ThoughtSignature != nil
	})
}

// mergedChunks returns the chunks of steps as one response.
func mergedChunks(steps []step) *geminiapi.GenerateContentResponse {
	response, _ := normalize.MergeChunks(chunksOf(steps)...)
	return response
}

func chunksOf(steps []step) []*geminiapi.GenerateContentResponse {
	var chunks []*geminiapi.GenerateContentResponse
	for _, s := range steps {
		if s.chunk != nil {
			chunks = append(chunks, s.chunk)
		}
	}
	return chunks
}

// hasExact reports whether the script has a verbatim chunk, to which nothing is added.
func hasExact(steps []step) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return s.exact != nil })
}
