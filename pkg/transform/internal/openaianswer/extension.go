package openaianswer

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// ResponseMembers returns Google's members about a response. rest comes from [ResponseRest].
func ResponseMembers(in *normalize.Response,
	rest *geminiapi.GenerateContentResponse) openaiapi.GoogleExtraContent {
	google := openaiapi.GoogleExtraContent{
		PromptFeedback: in.PromptFeedback, UsageMetadata: in.Usage.Wire, Response: rest,
		CreateTime: jsonx.NonEmpty(in.CreateTime),
	}
	if in.Extra != nil {
		google.ModelStatus = in.Extra.ModelStatus
	}
	return google
}

// ResponseRest returns the members of a response that have no member of their own: unknown members
// and the turn token. It adds the id and the model name if the answer has others. It returns nil
// without an extension.
func ResponseRest(in *normalize.Response, hasOtherID,
	hasOtherModel bool) *geminiapi.GenerateContentResponse {
	var rest geminiapi.GenerateContentResponse
	if hasOtherID {
		rest.ResponseID = jsonx.NonEmpty(in.ID)
	}
	if hasOtherModel {
		rest.ModelVersion = jsonx.NonEmpty(in.Model)
	}
	if in.Extra != nil {
		rest.TurnToken, rest.Unknown = in.Extra.TurnToken, in.Extra.Unknown
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

// AddCandidate adds a candidate's members, except its content, to Google's members. rest comes from
// [CandidateRest].
func AddCandidate(google *openaiapi.GoogleExtraContent, candidate *normalize.Candidate,
	rest geminiapi.Candidate) {
	google.FinishMessage = jsonx.NonEmpty(candidate.FinishMessage)
	google.SafetyRatings = candidate.SafetyRatings
	google.CitationMetadata = CitationMetadata(candidate)
	google.URLContextMetadata = urlContextMetadata(candidate)
	if candidate.Grounding != nil {
		google.GroundingMetadata = candidate.Grounding.Wire
	}
	if candidate.Logprobs != nil {
		google.AvgLogprobs, google.LogprobsResult = candidate.Logprobs.Average,
			MoreLogprobs(candidate.Logprobs.Wire)
	}
	if !rest.IsEmpty() {
		google.Candidate = new(rest)
	}
}

// CitationMetadata returns the citations of a candidate in Gemini's form, or nil.
func CitationMetadata(candidate *normalize.Candidate) *geminiapi.CitationMetadata {
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

// modelRole is the author of nearly all content in answers. The role of the message stands for it.
const modelRole = "model"

// CandidateRest returns the members of a candidate that have no member of their own in the
// extension. It includes the author if that is not the model.
func CandidateRest(candidate *normalize.Candidate) geminiapi.Candidate {
	var rest geminiapi.Candidate
	if candidate.Extra != nil {
		rest = *candidate.Extra
		rest.CitationMetadata, rest.URLContextMetadata = nil, nil
	}
	if candidate.Role != "" && candidate.Role != modelRole {
		content := jsonx.Deref(rest.Content)
		content.Role = &candidate.Role
		rest.Content = &content
	}
	return rest
}

// AddMembers adds a server's members to an answer or to its last event. usage points to the members
// of its usage; it is nil if there is no usage.
func AddMembers(extra **openaiapi.ExtraContent, usage *jsontext.Value, added transform.Added) {
	if usage != nil && added.Usage != nil {
		*usage = jsonx.MergeObjects(*usage, added.Usage)
	}
	if added.Extension == nil {
		return
	}
	if *extra == nil {
		*extra = &openaiapi.ExtraContent{}
	}
	(*extra).Unknown = jsonx.MergeObjects((*extra).Unknown,
		jsonx.Object("gemwire", added.Extension))
}
