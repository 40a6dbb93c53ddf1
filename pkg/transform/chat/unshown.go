package chat

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// What this file does happens only without extensions: what would be in them is reported as lost,
// except for the leaves that the completion shows in another form. A whole answer and each chunk of a
// stream have the same members, so that both are reported by the same functions.

const (
	detailNoCounterpart = "chat_completions has no place for it"
	detailJoined        = "the texts are joined; where a part began, and what stood between them, is not told"
)

// loseEnvelope reports what the completion does not show of the response besides its candidates.
func (c *converter) loseEnvelope() {
	rest, own := answer.WireMembers(c.in), jsonx.Deref(c.responseRest())
	rest.ResponseID, rest.ModelVersion = own.ResponseID, own.ModelVersion
	reportResponse(&c.report, &rest, c.blocked != nil)
}

// responseMembers are the members of a response but its candidates.
var responseMembers = &answer.ResponseTable{Detail: detailNoCounterpart, Members: []answer.Member[geminiapi.GenerateContentResponse]{
	{Pointer: "/promptFeedback", Take: answer.WithoutEmptyReason},
}}

// contentMembers and callMembers are as in every form. The members of candidates are by hand, since which of their leaves
// are shown depends on other values (shownMembers); so are parts, of which the member that holds them decides.
var (
	contentMembers = answer.NewContentTable(detailNoCounterpart)
	callMembers    = answer.NewCallTable(detailNoCounterpart)
)

// reportResponse adds what the completion, which is a refusal or not, does not show of the response's own members.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse, isRefusal bool) {
	feedback := answer.FeedbackShown(isRefusal)
	responseMembers.Report(entries, "", wire, func(path []string, value string) bool {
		return path[0] == "usageMetadata" && showsCount(wire.UsageMetadata, path[1:]) || feedback(path, value)
	})
}

// loseCandidate reports what the choice does not show of the candidate at a position.
func (c *converter) loseCandidate(candidate *normalize.Candidate, at int) {
	wire := candidate.WireMetadata()
	var counted []geminiapi.GroundingChunk
	if wire.GroundingMetadata != nil {
		counted = wire.GroundingMetadata.GroundingChunks
	}
	loseCandidate(&c.report, answer.Pointer(at, ""), wire, counted)
}

// loseCandidate adds what the choice does not show of a candidate's own members, which stand at a pointer.
// The supports count the sources in counted. Why the candidate ended is told by the finish reason.
func loseCandidate(entries *report.Report, at string, wire *geminiapi.Candidate, counted []geminiapi.GroundingChunk) {
	rest := *wire
	rest.Content, rest.FinishReason = nil, nil
	rest.LogprobsResult = openaianswer.MoreLogprobs(wire.LogprobsResult)
	if jsonx.Deref(rest.Index) >= 0 {
		rest.Index = nil
	}
	if jsonx.Deref(rest.FinishMessage) == "" {
		rest.FinishMessage = nil
	}
	if !rest.IsEmpty() {
		shows := shownMembers{candidate: new(rest), counted: counted}
		entries.AddUnshown(at, shows.candidate, shows.shows, detailNoCounterpart)
	}
	if wire.Content != nil {
		contentMembers.Report(entries, at+"/content", wire.Content, report.Nothing)
	}
}

// loseBlocks reports what the message does not show of the content.
func (c *converter) loseBlocks(blocks []normalize.Block, members []openaiapi.PartMember, at int) {
	if isJoined(members) {
		c.report.Add(report.Approximated, answer.Pointer(at, "/content/parts"), detailJoined)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Extra != nil && normalize.HasLeftOver(b.Extra.FunctionCall) {
			c.report.Add(report.Lost, answer.PartPointer(at, b.Part, "/functionCall"), answer.DetailLeftOver)
		}
		c.losePart(&c.report, answer.PartPointer(at, b.Part, ""), normalize.WithoutPieces(b.WirePart()), members[i])
	}
}

// isJoined reports whether the content is put together from several parts, or has lost its place
// behind a tool call.
func isJoined(members []openaiapi.PartMember) bool {
	before := false
	for _, member := range members {
		switch member {
		case openaiapi.PartMemberContent:
			if before {
				return true
			}
			before = true
		case openaiapi.PartMemberToolCalls:
			before = true
		}
	}
	return false
}

// losePart adds what a message shows in none of its members of a part, or of a piece of a call, that stands at a
// pointer. The member is the one that has the part, "" for none.
func (o *options) losePart(entries *report.Report, at string, wire *geminiapi.Part, member openaiapi.PartMember) {
	if member == "" {
		entries.Add(report.Lost, at, detailNoCounterpart)
		return
	}
	rest := *wire
	if !jsonx.Deref(rest.Thought) {
		rest.Thought = nil
	}
	if jsonx.Deref(rest.ThoughtSignature) == "" {
		rest.ThoughtSignature = nil
	}
	call, data := rest.FunctionCall, rest.InlineData
	switch member {
	case openaiapi.PartMemberContent:
		rest.Text = nil
	case openaiapi.PartMemberAudio:
		rest.InlineData = nil
	case openaiapi.PartMemberToolCalls:
		rest.FunctionCall = nil
		if o.carries(call) {
			rest.ThoughtSignature = nil
		}
	}
	if !rest.IsEmpty() {
		entries.AddUnshown(at, new(rest), report.Nothing, detailNoCounterpart)
	}
	switch member {
	case openaiapi.PartMemberAudio:
		loseMedia(entries, at+"/inlineData", *data)
	case openaiapi.PartMemberToolCalls:
		callMembers.Report(entries, at+"/functionCall", call, report.Nothing)
	}
}

// loseMedia adds what a message does not show of media, which stand at a pointer, besides the bytes.
func loseMedia(entries *report.Report, at string, media geminiapi.Blob) {
	media.Data = nil
	entries.AddUnshown(at, &media, report.Nothing, detailNoCounterpart)
}
