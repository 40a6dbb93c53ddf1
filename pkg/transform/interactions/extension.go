package interactions

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// googleMembers are the members of extra_content.google: what Gemini's answer has and an interaction
// does not. They have the names and the form of Gemini's format.
type googleMembers struct {
	ResponseID   *string `json:"responseId,omitzero"`
	ModelVersion *string `json:"modelVersion,omitzero"`
	CreateTime   *string `json:"createTime,omitzero"`

	FinishReason  *geminiapi.FinishReason  `json:"finishReason,omitzero"`
	FinishMessage *string                  `json:"finishMessage,omitzero"`
	SafetyRatings []geminiapi.SafetyRating `json:"safetyRatings,omitzero"`

	GroundingMetadata  *geminiapi.GroundingMetadata  `json:"groundingMetadata,omitzero"`
	URLContextMetadata *geminiapi.URLContextMetadata `json:"urlContextMetadata,omitzero"`
	CitationMetadata   *geminiapi.CitationMetadata   `json:"citationMetadata,omitzero"`

	AvgLogprobs    *float64                  `json:"avgLogprobs,omitzero"`
	LogprobsResult *geminiapi.LogprobsResult `json:"logprobsResult,omitzero"`

	PromptFeedback *geminiapi.PromptFeedback `json:"promptFeedback,omitzero"`
	UsageMetadata  *geminiapi.UsageMetadata  `json:"usageMetadata,omitzero"`
	ModelStatus    *geminiapi.ModelStatus    `json:"modelStatus,omitzero"`

	// Candidate and Response are the other members of the candidate and of the response.
	Candidate *geminiapi.Candidate               `json:"candidate,omitzero"`
	Response  *geminiapi.GenerateContentResponse `json:"response,omitzero"`
	// Parts are the parts that no step shows completely.
	Parts []keptPart `json:"parts,omitzero"`
}

// keptPart is a part and its position in the content.
type keptPart struct {
	Index int             `json:"index"`
	Part  *geminiapi.Part `json:"part,omitzero"`
}

// isEmpty reports whether there are no members.
func (g *googleMembers) isEmpty() bool {
	return g.ResponseID == nil && g.ModelVersion == nil && g.CreateTime == nil &&
		g.FinishReason == nil && g.FinishMessage == nil && g.SafetyRatings == nil &&
		g.GroundingMetadata == nil && g.URLContextMetadata == nil && g.CitationMetadata == nil &&
		g.AvgLogprobs == nil && g.LogprobsResult == nil && g.PromptFeedback == nil &&
		g.UsageMetadata == nil && g.ModelStatus == nil && g.Candidate == nil &&
		g.Response == nil && g.Parts == nil
}

// extraContent returns unknown members with Google's members in the extension.
func extraContent(google jsontext.Value) jsontext.Value {
	return jsonx.Object("extra_content", jsonx.Object("google", google))
}

// extension returns the extension as unknown members, or nil.
func (g *googleMembers) extension() jsontext.Value {
	if g.isEmpty() {
		return nil
	}
	value, err := json.Marshal(g, jsonx.Canonical, jsontext.AllowInvalidUTF8(true))
	if err != nil { // a free-form value that is not JSON, which decoding never returns
		return nil
	}
	return extraContent(value)
}

// addCandidate adds what the interaction does not show of the candidate.
func (g *googleMembers) addCandidate(c *normalize.Candidate, out *end, groundingShown,
	pagesShown bool) {
	if !out.isExact {
		g.FinishReason = jsonx.NonEmpty(c.NativeFinishReason)
	}
	if !out.hasMessage {
		g.FinishMessage = jsonx.NonEmpty(c.FinishMessage)
	}
	g.SafetyRatings = c.SafetyRatings
	if c.Grounding != nil && !groundingShown {
		g.GroundingMetadata = c.Grounding.Wire
	}
	if c.Logprobs != nil {
		g.AvgLogprobs, g.LogprobsResult = c.Logprobs.Average, c.Logprobs.Wire
	}
	rest := geminiapi.Candidate{}
	if c.Extra != nil {
		rest = *c.Extra
		g.CitationMetadata = rest.CitationMetadata
		rest.CitationMetadata = nil
		if out.continuation != nil {
			rest.ContinuationToken = nil
		}
	}
	if unknown := rest.URLContextMetadata; unknown != nil || !pagesShown {
		g.URLContextMetadata = &geminiapi.URLContextMetadata{URLMetadata: c.URLContext}
		if unknown != nil {
			g.URLContextMetadata.Unknown = unknown.Unknown
		}
	}
	rest.URLContextMetadata = nil
	if c.Role != "" && c.Role != modelRole {
		content := jsonx.Deref(rest.Content)
		content.Role = &c.Role
		rest.Content = &content
	}
	if c.Index != 0 {
		rest.Index = &c.Index
	}
	if !rest.IsEmpty() {
		g.Candidate = &rest
	}
}

// modelRole is the author of nearly all content in answers.
const modelRole = "model"

// showsPages reports whether steps show all that metadata say about pages.
func (e *encoder) showsPages(pages []geminiapi.URLMetadata) bool {
	isDerived := e.fromMetadata["url_context"]
	for i := range pages {
		p := &pages[i]
		isShown := isDerived || e.says(jsonx.Deref(p.RetrievedURL)) &&
			e.says(string(pageStatus(jsonx.Deref(p.URLRetrievalStatus))))
		if p.Unknown != nil || !isShown {
			return false
		}
	}
	return true
}

// addResponse adds what the interaction does not show of the response.
func (g *googleMembers) addResponse(in *normalize.Response, o *options, who *identity,
	areCountsChanged bool) {
	if in.ID != "" && !hasResponseID(jsonx.Deref(who.id), in.ID) {
		g.ResponseID = &in.ID
	}
	if in.Model != "" && jsonx.Deref(who.model) != in.Model {
		g.ModelVersion = &in.Model
	}
	if in.CreateTime != "" && o.created != nil {
		g.CreateTime = &in.CreateTime
	}
	g.PromptFeedback = in.PromptFeedback
	g.UsageMetadata = usageRest(in.Usage.Wire, areCountsChanged)
	if in.Extra == nil {
		return
	}
	g.ModelStatus = in.Extra.ModelStatus
	rest := geminiapi.GenerateContentResponse{TurnToken: in.Extra.TurnToken,
		Unknown: withoutExtension(in.Extra.Unknown)}
	if !rest.IsEmpty() {
		g.Response = &rest
	}
}

// hasResponseID reports whether the id of an interaction has that of its response.
func hasResponseID(id, responseID string) bool {
	got, ok := wire.ResponseID(id)
	return id == responseID || ok && got == responseID
}

// exactAnnotations returns the annotations of parts in the extension of Gemini's answer, which
// package reverse puts there if the metadata about sources do not have them as they were.
func exactAnnotations(unknown jsontext.Value) map[int][]interactionsapi.Annotation {
	if unknown == nil {
		return nil
	}
	members := jsonx.Member(unknown, "extraContent")
	if members.Kind() != jsontext.KindBeginObject {
		return nil
	}
	var list []struct {
		Part        int                          `json:"part"`
		Annotations []interactionsapi.Annotation `json:"annotations"`
	}
	value := jsonx.Member(members, "annotations")
	if value == nil || json.Unmarshal(value, &list) != nil {
		return nil
	}
	out := map[int][]interactionsapi.Annotation{}
	for _, of := range list {
		out[of.Part] = of.Annotations
	}
	return out
}

// withoutExtension returns unknown members without the extension, which the interaction shows.
func withoutExtension(unknown jsontext.Value) jsontext.Value {
	if exactAnnotations(unknown) == nil {
		return steps.WithoutExtension(unknown)
	}
	var rest jsontext.Value
	for name, value := range jsonx.Members(unknown) {
		if name != "extraContent" {
			rest = jsonx.MergeObjects(rest, jsonx.Object(name, value))
		}
	}
	return rest
}

// keptInteraction returns the members of an interaction in the extension of Gemini's answer, which
// package reverse puts there. It returns nil if there are none.
func keptInteraction(unknown jsontext.Value) *interactionsapi.Interaction {
	members := steps.Extension(unknown)
	if members == nil {
		return nil
	}
	kept, err := wire.DecodeResponse(members)
	if err != nil {
		return nil
	}
	return kept
}

// restore gives an interaction the members of the extension. They are exact, so they replace those
// that were made of Gemini's members.
func restore(out, kept *interactionsapi.Interaction) {
	if kept == nil {
		return
	}
	made := *out
	*out = *kept
	out.ID, out.Steps = made.ID, made.Steps
	out.Model, out.Agent = made.Model, made.Agent
	out.Usage = restoredUsage(made.Usage, kept.Usage)
	if out.Status == "" {
		out.Status = made.Status
	}
	if out.Errors == nil && kept.Status == "" {
		out.Errors = made.Errors
	}
	replaceMissing(&out.Created, made.Created)
	replaceMissing(&out.Updated, made.Updated)
	replaceMissing(&out.ServiceTier, made.ServiceTier)
	replaceMissing(&out.Object, made.Object)
	replaceMissing(&out.ContinuationToken, made.ContinuationToken)
	replaceMissing(&out.PreviousInteractionID, made.PreviousInteractionID)
	out.Unknown = jsonx.MergeObjects(kept.Unknown, made.Unknown)
}

// restoredUsage returns counts with the members of the extension.
func restoredUsage(made, kept *interactionsapi.Usage) *interactionsapi.Usage {
	if made == nil || kept == nil {
		if kept != nil {
			return kept
		}
		return made
	}
	out := *kept
	replaceMissing(&out.TotalTokens, made.TotalTokens)
	replaceMissing(&out.TotalInputTokens, made.TotalInputTokens)
	replaceMissing(&out.TotalOutputTokens, made.TotalOutputTokens)
	replaceMissing(&out.TotalCachedTokens, made.TotalCachedTokens)
	replaceMissing(&out.TotalThoughtTokens, made.TotalThoughtTokens)
	replaceMissing(&out.TotalToolUseTokens, made.TotalToolUseTokens)
	replaceMissing(&out.InitialInputTokens, made.InitialInputTokens)
	replaceEmpty(&out.InputTokensByModality, made.InputTokensByModality)
	replaceEmpty(&out.OutputTokensByModality, made.OutputTokensByModality)
	replaceEmpty(&out.CachedTokensByModality, made.CachedTokensByModality)
	replaceEmpty(&out.ToolUseTokensByModality, made.ToolUseTokensByModality)
	return &out
}

func replaceMissing[T any](member **T, other *T) {
	if *member == nil {
		*member = other
	}
}

func replaceEmpty[T any](member *[]T, other []T) {
	if *member == nil {
		*member = other
	}
}
