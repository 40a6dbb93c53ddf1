package reverse

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An interaction that package interactions made of an answer of Gemini has in its unknown member
// extra_content what only that answer had.
const (
	extraContentMember = "extra_content"
	googleMember       = "google"
	googlePointer      = "/" + extraContentMember + "/" + googleMember
)

// googleMembers are the members of extra_content.google. They have the form of Gemini's format.
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
	UsageMetadata  jsontext.Value            `json:"usageMetadata,omitzero"`
	ModelStatus    *geminiapi.ModelStatus    `json:"modelStatus,omitzero"`

	Candidate jsontext.Value `json:"candidate,omitzero"`
	Response  jsontext.Value `json:"response,omitzero"`
	Parts     []keptPart     `json:"parts,omitzero"`

	Unknown jsontext.Value `json:",embed"`
}

// keptPart has the members of a part that no step has, and the position of the part.
type keptPart struct {
	Index int            `json:"index"`
	Part  jsontext.Value `json:"part,omitzero"`

	Unknown jsontext.Value `json:",embed"`
}

const (
	detailNoEffect  = "it has no effect here"
	detailOwnReason = "the extension has Gemini's own reason"
	detailDerived   = "the metadata of the answer have it"
	detailSentPart  = "the part is not there, or a stream has sent it before"
)

// takeGoogle restores what the extension of an interaction has of Gemini's answer.
func (a *answer) takeGoogle(out *geminiapi.GenerateContentResponse) {
	value := jsonx.Member(jsonx.Member(a.in.Unknown, extraContentMember), googleMember)
	if value.Kind() != jsontext.KindBeginObject {
		return
	}
	var google googleMembers
	if err := json.Unmarshal(value, &google); err != nil {
		return // it stays in the extension of the answer
	}
	a.rest.Unknown = withoutGoogle(a.rest.Unknown)
	if google.Unknown != nil {
		unshown.Add(&a.entries, googlePointer, &googleMembers{Unknown: google.Unknown}, unshown.Nothing,
			detailNoEffect)
	}
	a.restoreResponse(out, &google)
	if len(out.Candidates) == 0 {
		out.Candidates = []geminiapi.Candidate{{Index: new(0)}}
		a.restoreCandidate(&out.Candidates[0], &google)
		if rest := out.Candidates[0]; isIndexAlone(&rest) {
			out.Candidates = nil
		}
		return
	}
	a.restoreCandidate(&out.Candidates[0], &google)
}

// isIndexAlone reports whether a candidate has nothing but its index.
func isIndexAlone(c *geminiapi.Candidate) bool {
	rest := *c
	rest.Index = nil
	return rest.IsEmpty()
}

// withoutGoogle returns unknown members without Google's in the extension.
func withoutGoogle(unknown jsontext.Value) (out jsontext.Value) {
	for name, value := range jsonx.Members(unknown) {
		if name == extraContentMember {
			value = withoutMember(value, googleMember)
		}
		if value != nil {
			out = jsonx.MergeObjects(out, jsonx.Object(name, value))
		}
	}
	return out
}

// withoutMember returns an object without a member, or nil if there are no others.
func withoutMember(object jsontext.Value, without string) (out jsontext.Value) {
	for name, value := range jsonx.Members(object) {
		if name != without {
			out = jsonx.MergeObjects(out, jsonx.Object(name, value))
		}
	}
	return out
}

// restoreResponse restores the members of the response.
func (a *answer) restoreResponse(out *geminiapi.GenerateContentResponse, google *googleMembers) {
	if a.id == "" {
		jsonx.Replace(&out.ResponseID, google.ResponseID)
	}
	if a.model == "" {
		jsonx.Replace(&out.ModelVersion, google.ModelVersion)
	}
	jsonx.Replace(&out.CreateTime, google.CreateTime)
	jsonx.Replace(&out.PromptFeedback, google.PromptFeedback)
	jsonx.Replace(&out.ModelStatus, google.ModelStatus)
	if google.UsageMetadata != nil {
		counts := jsonx.Deref(out.UsageMetadata)
		a.overlay(&counts, google.UsageMetadata, "/usageMetadata")
		out.UsageMetadata = &counts
	}
	if google.Response != nil {
		a.overlay(out, google.Response, "/response")
	}
}

// restoreCandidate restores the members of the candidate and of its parts.
func (a *answer) restoreCandidate(out *geminiapi.Candidate, google *googleMembers) {
	if google.FinishReason != nil {
		out.FinishReason, out.FinishMessage = google.FinishReason, nil
		if reason, message, ok := native(a.in); ok && reason == *google.FinishReason {
			out.FinishMessage = jsonx.NonEmpty(message) // which the error has
		}
		a.entries.Add(report.Approximated, "/status", detailOwnReason)
		if a.rest.Errors != nil {
			a.entries.Add(report.Approximated, "/errors", detailOwnReason)
		}
		a.rest.Status, a.rest.Errors = "", nil
	}
	jsonx.Replace(&out.FinishMessage, google.FinishMessage)
	jsonx.Replace(&out.GroundingMetadata, google.GroundingMetadata)
	jsonx.Replace(&out.URLContextMetadata, google.URLContextMetadata)
	jsonx.Replace(&out.CitationMetadata, google.CitationMetadata)
	jsonx.Replace(&out.AvgLogprobs, google.AvgLogprobs)
	jsonx.Replace(&out.LogprobsResult, google.LogprobsResult)
	if google.SafetyRatings != nil {
		out.SafetyRatings = google.SafetyRatings
	}
	for i := range google.Parts {
		a.restorePart(out, &google.Parts[i], googlePointer+stepPointer(i))
	}
	if google.Candidate != nil {
		content := out.Content
		a.overlay(out, google.Candidate, "/candidate")
		if content != nil && out.Content != nil {
			out.Content.Parts = content.Parts
		}
	}
}

// restorePart restores the members of a part.
func (a *answer) restorePart(out *geminiapi.Candidate, kept *keptPart, pointer string) {
	pointer = strings.Replace(pointer, "/steps/", "/parts/", 1)
	if a.sent || out.Content == nil || kept.Index < 0 || kept.Index >= len(out.Content.Parts) {
		a.entries.Add(report.Lost, pointer, detailSentPart)
		return
	}
	if kept.Unknown != nil {
		a.entries.Add(report.Approximated, pointer, detailNoEffect)
	}
	part := &out.Content.Parts[kept.Index]
	whole := mergeDeep(encoded(part), kept.Part)
	var restored geminiapi.Part
	if json.Unmarshal(whole, &restored) != nil {
		a.entries.Add(report.Lost, pointer, detailNoEffect)
		return
	}
	*part = restored
}

// overlay gives a value the members of an object.
func (a *answer) overlay(out any, members jsontext.Value, name string) {
	if json.Unmarshal(mergeDeep(encoded(out), members), out) != nil {
		a.entries.Add(report.Lost, googlePointer+name, detailNoEffect)
	}
}

// mergeDeep returns an object with the members of both. Objects of one name are merged too. Other
// values of the later object win.
func mergeDeep(old, later jsontext.Value) jsontext.Value {
	if old.Kind() != jsontext.KindBeginObject || later.Kind() != jsontext.KindBeginObject {
		return later
	}
	out := old
	for name, value := range jsonx.Members(later) {
		if before := jsonx.Member(old, name); before != nil {
			value = mergeDeep(before, value)
		}
		out = jsonx.MergeObjects(out, jsonx.Object(name, value))
	}
	return out
}
