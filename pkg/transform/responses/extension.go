package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// extension returns what the response has beyond OpenAI's description, or nil.
func (c *converter) extension(e *encoder) *openaiapi.ExtraContent {
	google := openaianswer.ResponseMembers(c.in, c.responseRest())
	google.Parts = e.rest.out
	if len(c.in.Candidates) > 0 {
		candidate := &c.in.Candidates[0]
		openaianswer.AddCandidate(&google, candidate, candidateRest(candidate))
		if e.hasLostLogprobs && candidate.Logprobs != nil {
			google.LogprobsResult = candidate.Logprobs.Wire
		}
	}
	if google.IsEmpty() {
		return nil
	}
	return &openaiapi.ExtraContent{Google: &google}
}

// responseRest returns the remaining members of the wire's response: unknown members, and members
// that an option has replaced.
func (c *converter) responseRest() *geminiapi.GenerateContentResponse {
	return openaianswer.ResponseRest(c.in, c.id != "", c.modelOf(c.in.Model) != c.in.Model)
}

// candidateRest returns the remaining members of the wire's candidate. They include the index if it
// is not 0, and the finish reason if the status does not show it.
func candidateRest(candidate *normalize.Candidate) geminiapi.Candidate {
	rest := openaianswer.CandidateRest(candidate)
	if candidate.Index != 0 {
		rest.Index = &candidate.Index
	}
	if native := candidate.NativeFinishReason; native != geminiapi.FinishReasonStop &&
		native != geminiapi.FinishReasonMaxTokens {
		rest.FinishReason = jsonx.NonEmpty(native)
	}
	return rest
}
