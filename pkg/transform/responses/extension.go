package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// extension returns what the response has beyond OpenAI's description, nil when there is nothing.
func (c *converter) extension(e *encoder) *openaiapi.ExtraContent {
	google := openaiapi.GoogleExtraContent{
		PromptFeedback: c.in.PromptFeedback,
		UsageMetadata:  c.in.Usage.Wire,
		Response:       c.responseRest(),
		CreateTime:     jsonx.NonEmpty(c.in.CreateTime),
		Parts:          e.rest.out,
	}
	if c.in.Extra != nil {
		google.ModelStatus = c.in.Extra.ModelStatus
	}
	if len(c.in.Candidates) > 0 {
		describe(&google, &c.in.Candidates[0], e.untold)
	}
	if google.IsEmpty() {
		return nil
	}
	return &openaiapi.ExtraContent{Google: &google}
}

// describe adds what a candidate has beyond the items.
func describe(google *openaiapi.GoogleExtraContent, candidate *normalize.Candidate, isUntold bool) {
	google.FinishMessage = jsonx.NonEmpty(candidate.FinishMessage)
	google.SafetyRatings = candidate.SafetyRatings
	google.CitationMetadata = citationMetadata(candidate)
	google.URLContextMetadata = urlContextMetadata(candidate)
	google.Candidate = candidateRest(candidate)
	if candidate.Grounding != nil {
		google.GroundingMetadata = candidate.Grounding.Wire
	}
	if candidate.Logprobs == nil {
		return
	}
	google.AvgLogprobs, google.LogprobsResult = candidate.Logprobs.Average, moreLogprobs(candidate.Logprobs.Wire)
	if isUntold {
		google.LogprobsResult = candidate.Logprobs.Wire
	}
}

// responseRest returns what else the wire's response has: members that nobody knows, and those that an option has
// replaced.
func (c *converter) responseRest() *geminiapi.GenerateContentResponse {
	var rest geminiapi.GenerateContentResponse
	if c.id != "" {
		rest.ResponseID = jsonx.NonEmpty(c.in.ID)
	}
	if c.modelOf(c.in.Model) != c.in.Model {
		rest.ModelVersion = jsonx.NonEmpty(c.in.Model)
	}
	if c.in.Extra != nil {
		rest.TurnToken, rest.Unknown = c.in.Extra.TurnToken, c.in.Extra.Unknown
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func citationMetadata(candidate *normalize.Candidate) *geminiapi.CitationMetadata {
	if candidate.Extra == nil {
		return nil
	}
	return candidate.Extra.CitationMetadata
}

func urlContextMetadata(candidate *normalize.Candidate) *geminiapi.URLContextMetadata {
	out := geminiapi.URLContextMetadata{URLMetadata: candidate.URLContext}
	if candidate.Extra != nil && candidate.Extra.URLContextMetadata != nil {
		out.Unknown = candidate.Extra.URLContextMetadata.Unknown
	}
	if out.IsEmpty() {
		return nil
	}
	return new(out)
}

// modelRole is the author of nearly all content that is answered; the item's role stands for it.
const modelRole = "model"

// candidateRest returns what else the wire's candidate has, without what has a member of its own in the extension: the
// author when it is another than the model, the index when it is not 0, and why it ended when the status does not say so.
func candidateRest(candidate *normalize.Candidate) *geminiapi.Candidate {
	var rest geminiapi.Candidate
	if candidate.Extra != nil {
		rest = *candidate.Extra
		rest.CitationMetadata, rest.URLContextMetadata = nil, nil
	}
	if candidate.Role != "" && candidate.Role != modelRole {
		var content geminiapi.Content
		if rest.Content != nil {
			content = *rest.Content
		}
		content.Role = &candidate.Role
		rest.Content = &content
	}
	if candidate.Index != 0 {
		rest.Index = &candidate.Index
	}
	if native := candidate.NativeFinishReason; native != geminiapi.FinishReasonStop && native != geminiapi.FinishReasonMaxTokens {
		rest.FinishReason = jsonx.NonEmpty(native)
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}
