package aisdk

import (
	"errors"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// summary holds the values of a stream besides the content, as one response with one candidate. It
// becomes the metadata of the finish.
type summary = geminiapi.GenerateContentResponse

// modelRole is the author of every answer, which is not shown.
const modelRole = "model"

// summarise returns the summary at the end of the stream.
func (s *Stream) summarise(usage *normalize.Usage) *summary {
	r, err := s.summary.Response()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		r = blocked.Response
	}
	out := &summary{
		ResponseID:     jsonx.NonEmpty(s.identity.id),
		ModelVersion:   jsonx.NonEmpty(s.identity.model),
		CreateTime:     jsonx.NonEmpty(s.identity.created),
		PromptFeedback: r.PromptFeedback,
		Candidates:     []geminiapi.Candidate{{}},
	}
	if usage != nil {
		out.UsageMetadata = usage.Wire
	}
	if r.Extra != nil {
		out.ModelStatus, out.TurnToken, out.Unknown = r.Extra.ModelStatus, r.Extra.TurnToken,
			r.Extra.Unknown
	}
	if len(r.Candidates) > 0 {
		out.Candidates[0] = *r.Candidates[0].WireMetadata()
	}
	return out
}

// finishMetadata is the metadata of the finish. The SDK's own provider has the first seven members
// too.
type finishMetadata struct {
	PromptFeedback     *geminiapi.PromptFeedback     `json:"promptFeedback,omitzero"`
	GroundingMetadata  *geminiapi.GroundingMetadata  `json:"groundingMetadata,omitzero"`
	URLContextMetadata *geminiapi.URLContextMetadata `json:"urlContextMetadata,omitzero"`
	SafetyRatings      []geminiapi.SafetyRating      `json:"safetyRatings,omitzero"`
	UsageMetadata      *geminiapi.UsageMetadata      `json:"usageMetadata,omitzero"`
	FinishMessage      *string                       `json:"finishMessage,omitzero"`
	ServiceTier        *geminiapi.ServiceTier        `json:"serviceTier,omitzero"`

	CitationMetadata *geminiapi.CitationMetadata `json:"citationMetadata,omitzero"`
	AvgLogprobs      *float64                    `json:"avgLogprobs,omitzero"`
	LogprobsResult   *geminiapi.LogprobsResult   `json:"logprobsResult,omitzero"`
	ModelStatus      *geminiapi.ModelStatus      `json:"modelStatus,omitzero"`
	Parts            []unknownPart               `json:"parts,omitzero"`

	// These are the remaining members.
	Candidate *geminiapi.Candidate `json:"candidate,omitzero"`
	Response  *summary             `json:"response,omitzero"`
}

// unknownPart is a part of an unknown kind, with its position in the joined content of all chunks.
type unknownPart struct {
	Index int             `json:"index"`
	Part  *geminiapi.Part `json:"part"`
}

// unknownBlock emits a part of an unknown kind. In V3 it is in the finish.
func (s *Stream) unknownBlock(b *normalize.Block) {
	if !s.options.v4 {
		s.unknown = append(s.unknown, unknownPart{Index: b.Part, Part: b.Extra})
		return
	}
	s.closeBlock()
	s.add(aisdkapi.Custom{Kind: google + ".part",
		ProviderMetadata: partMetadata{Part: b.Extra}.provider()})
}

// finishMetadata returns the metadata, or nil if it is empty.
func (s *Stream) finishMetadata(whole *summary,
	reason aisdkapi.FinishReason) aisdkapi.ProviderMetadata {
	c := &whole.Candidates[0]
	m := finishMetadata{
		PromptFeedback:     whole.PromptFeedback,
		GroundingMetadata:  c.GroundingMetadata,
		URLContextMetadata: c.URLContextMetadata,
		SafetyRatings:      c.SafetyRatings,
		UsageMetadata:      whole.UsageMetadata,
		FinishMessage:      c.FinishMessage,
		CitationMetadata:   c.CitationMetadata,
		AvgLogprobs:        c.AvgLogprobs,
		LogprobsResult:     c.LogprobsResult,
		ModelStatus:        whole.ModelStatus,
		Parts:              s.unknown,
		Candidate:          candidateRest(c, reason),
		Response:           s.responseRest(whole),
	}
	if whole.UsageMetadata != nil {
		m.ServiceTier = whole.UsageMetadata.ServiceTier
	}
	value := marshal(&m)
	if len(value) <= len("{}") {
		return nil
	}
	return aisdkapi.ProviderMetadata{google: value}
}

// candidateRest returns the members of the candidate that nothing else in the finish has.
func candidateRest(c *geminiapi.Candidate, reason aisdkapi.FinishReason) *geminiapi.Candidate {
	out := geminiapi.Candidate{
		ContinuationToken:     c.ContinuationToken,
		GroundingAttributions: c.GroundingAttributions,
		Index:                 c.Index,
		TokenCount:            c.TokenCount,
		Unknown:               c.Unknown,
	}
	if c.Content != nil {
		content := *c.Content
		if jsonx.Deref(content.Role) == modelRole {
			content.Role = nil
		}
		if !content.IsEmpty() {
			out.Content = &content
		}
	}
	if native := jsonx.Deref(c.FinishReason); reason.Raw != string(native) {
		out.FinishReason = c.FinishReason
	}
	if out.IsEmpty() {
		return nil
	}
	return &out
}

// responseRest returns the members of the response that no other part has: the turn token, unknown
// members, and a time that a timestamp cannot hold.
func (s *Stream) responseRest(whole *summary) *summary {
	out := summary{TurnToken: whole.TurnToken, Unknown: whole.Unknown}
	if !s.dated {
		out.CreateTime = whole.CreateTime
	}
	if out.IsEmpty() {
		return nil
	}
	return &out
}
