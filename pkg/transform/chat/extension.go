package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
)

// extraContent wraps Google's members, nil when there are none.
func extraContent(google openaiapi.GoogleExtraContent) *openaiapi.ExtraContent {
	if google.IsEmpty() {
		return nil
	}
	out := &struct { // in one piece of memory
		openaiapi.ExtraContent
		google openaiapi.GoogleExtraContent
	}{google: google}
	out.Google = &out.google
	return &out.ExtraContent
}

// responseExtension returns what the response has beyond the completion.
func (c *converter) responseExtension() *openaiapi.ExtraContent {
	google := openaiapi.GoogleExtraContent{
		PromptFeedback: c.in.PromptFeedback,
		UsageMetadata:  c.in.Usage.Wire,
		Response:       c.responseRest(),
	}
	if c.in.Extra != nil {
		google.ModelStatus = c.in.Extra.ModelStatus
	}
	google.CreateTime = jsonx.NonEmpty(c.in.CreateTime)
	return extraContent(google)
}

// responseRest returns what else the wire's response has: members that nobody knows, and those that
// an option has replaced.
func (c *converter) responseRest() *geminiapi.GenerateContentResponse {
	var rest geminiapi.GenerateContentResponse
	if c.id != "" && c.id != c.in.ID {
		rest.ResponseID = jsonx.NonEmpty(c.in.ID)
	}
	if c.model != "" && c.model != c.in.Model {
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

// preservedTurn is what the extension says of the parts of a turn.
type preservedTurn struct {
	parts     []openaiapi.PreservedPart // nil for the usual turn
	signature *string                   // that of the message
	checksum  *string                   // of the content of a usual turn that is signed
	mimeType  *string                   // of the sound
}

// preservedTurn returns what the extension says of the parts of a candidate.
func (c *converter) preservedTurn(candidate *normalize.Candidate, members []openaiapi.PartMember, at int) preservedTurn {
	out := preservedTurn{
		parts:     c.layout(candidate.Blocks, members, at),
		signature: lastSignature(candidate.Blocks),
		mimeType:  audioType(candidate.Blocks, members),
	}
	if out.parts == nil && out.signature != nil {
		out.checksum = new(callid.Checksum(candidate.Text()))
	}
	return out
}

// messageExtension returns what the candidate has beyond the choice, with the layout of its parts.
func (c *converter) messageExtension(candidate *normalize.Candidate, turn preservedTurn) *openaiapi.ExtraContent {
	google := openaiapi.GoogleExtraContent{
		ThoughtSignature:   turn.signature,
		Checksum:           turn.checksum,
		Parts:              turn.parts,
		MIMEType:           turn.mimeType,
		FinishMessage:      jsonx.NonEmpty(candidate.FinishMessage),
		SafetyRatings:      candidate.SafetyRatings,
		CitationMetadata:   citationMetadata(candidate),
		URLContextMetadata: urlContextMetadata(candidate),
		Candidate:          c.candidateRest(candidate),
	}
	if candidate.Grounding != nil {
		google.GroundingMetadata = candidate.Grounding.Wire
	}
	if candidate.Logprobs != nil {
		google.AvgLogprobs, google.LogprobsResult = candidate.Logprobs.Average, moreLogprobs(candidate.Logprobs.Wire)
	}
	return extraContent(google)
}

// lastSignature returns the last thought signature of a part that is no tool call. Google's own
// endpoint gives it with the message, as it is the one that the next turn should send back.
func lastSignature(blocks []normalize.Block) *string {
	for i := len(blocks) - 1; i >= 0; i-- {
		if b := &blocks[i]; b.Signature != "" && b.Type != normalize.BlockToolCall {
			return &b.Signature
		}
	}
	return nil
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

// modelRole is the author of nearly all content that is answered; the message's role stands for it.
const modelRole = "model"

// candidateRest returns what else the wire's candidate has, without what has a member of its own in
// the extension, the author when it is another than the model, and why it ended when the choice says that the
// prompt was refused.
func (c *converter) candidateRest(candidate *normalize.Candidate) *geminiapi.Candidate {
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
	if string(candidate.NativeFinishReason) != c.nativeReason(candidate) {
		rest.FinishReason = jsonx.NonEmpty(candidate.NativeFinishReason)
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}
