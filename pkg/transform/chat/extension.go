package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// extraContent wraps Google's members. It returns nil if Google's members are empty.
func extraContent(google openaiapi.GoogleExtraContent) *openaiapi.ExtraContent {
	if google.IsEmpty() {
		return nil
	}
	out := &struct { // one allocation
		openaiapi.ExtraContent
		google openaiapi.GoogleExtraContent
	}{google: google}
	out.Google = &out.google
	return &out.ExtraContent
}

// responseExtension returns what the response has and the completion does not show.
func (c *converter) responseExtension() *openaiapi.ExtraContent {
	return extraContent(openaianswer.ResponseMembers(c.in, c.responseRest()))
}

// responseRest returns the remaining members of the wire's response: unknown members, and members
// that an option has replaced.
func (c *converter) responseRest() *geminiapi.GenerateContentResponse {
	return openaianswer.ResponseRest(c.in, c.id != "" && c.id != c.in.ID,
		c.model != "" && c.model != c.in.Model)
}

// preservedTurn holds the extension's statements about the parts of a turn.
type preservedTurn struct {
	parts     []openaiapi.PreservedPart // nil for the usual turn
	signature *string                   // of the message
	checksum  *string                   // of the content of a usual turn that is signed
	mimeType  *string                   // of the sound
}

// preservedTurn returns what the extension says about the parts of a candidate.
func (c *converter) preservedTurn(candidate *normalize.Candidate, members []openaiapi.PartMember,
	at int) preservedTurn {
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

// messageExtension returns what the candidate has and the choice does not show, with the layout of
// its parts.
func (c *converter) messageExtension(candidate *normalize.Candidate,
	turn preservedTurn) *openaiapi.ExtraContent {
	google := openaiapi.GoogleExtraContent{
		ThoughtSignature: turn.signature, Checksum: turn.checksum, Parts: turn.parts,
		MIMEType: turn.mimeType,
	}
	openaianswer.AddCandidate(&google, candidate, c.candidateRest(candidate))
	return extraContent(google)
}

// lastSignature returns the last thought signature of a part that is not a tool call. Google's own
// endpoint puts it on the message, because the next turn should send it back.
func lastSignature(blocks []normalize.Block) *string {
	for i := len(blocks) - 1; i >= 0; i-- {
		if b := &blocks[i]; b.Signature != "" && b.Type != normalize.BlockToolCall {
			return &b.Signature
		}
	}
	return nil
}

// candidateRest returns the remaining members of the wire's candidate. They include the candidate's
// own finish reason if the choice says that the prompt was refused.
func (c *converter) candidateRest(candidate *normalize.Candidate) geminiapi.Candidate {
	rest := openaianswer.CandidateRest(candidate)
	if string(candidate.NativeFinishReason) != c.nativeReason(candidate) {
		rest.FinishReason = jsonx.NonEmpty(candidate.NativeFinishReason)
	}
	return rest
}
