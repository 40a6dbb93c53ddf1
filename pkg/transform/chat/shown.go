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
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// The tables of this file define what a completion without extensions makes of each member of an
// answer. What would be in the extensions is lost, except for values that the completion shows in
// another form. A whole answer and each chunk of a stream have the same members, so the tables
// serve both. Code handles these cases:
//
//   - values of sources, citations, pages and log probabilities (shownMembers), because other
//     values decide which of them are shown;
//   - tokens of sound (showsSound), and counts whose values differ (reportCounts);
//   - a part that no message member holds, and a signature that an id carries (reportPart);
//   - texts and sounds that are joined (loseBlocks, reportText, reportBlock), because this concerns
//     several parts;
//   - spans that move (annotation.go, moved_span.go), because they count over the whole text;
//   - why a candidate ended (finishReason), which depends on its calls too.

const (
	detailNoCounterpart = "chat_completions has no member for it"
	detailJoined        = "joined with other texts; the boundaries of parts, and the values between them, are lost"
)

// loseEnvelope reports what the completion does not show of the response, apart from the
// candidates.
func (c *converter) loseEnvelope() {
	rest, own := answer.WireMembers(c.in), jsonx.Deref(c.responseRest())
	rest.ResponseID, rest.ModelVersion = own.ResponseID, own.ModelVersion
	reportResponse(&c.report, &rest, c.blocked != nil)
}

// responseMembers and usageMembers are the same in every form. reportCounts handles counts whose
// values differ.
var (
	responseMembers = answer.NewResponseTable(detailNoCounterpart)
	usageMembers    = answer.NewUsageTable(detailNoCounterpart)
)

// candidateMembers are the members of a candidate except its content. The choice shows the finish
// reason. shownMembers handles values of grounding, citations, pages and log probabilities, because
// other values decide which of them are shown.
var candidateMembers = &answer.CandidateTable{Detail: detailNoCounterpart,
	Members: []answer.Member[geminiapi.Candidate]{
		answer.ContentRow,
		answer.FinishReasonRow,
		answer.EmptyMessageRow,
		{Pointer: "/index", Take: answer.If(
			func(c *geminiapi.Candidate) bool { return jsonx.Deref(c.Index) >= 0 },
			answer.Value(func(c *geminiapi.Candidate) **int { return &c.Index }),
		)},
		{Pointer: "/logprobsResult", Take: answer.If(
			func(c *geminiapi.Candidate) bool { return openaianswer.MoreLogprobs(c.LogprobsResult) == nil },
			answer.Value(func(c *geminiapi.Candidate) **geminiapi.LogprobsResult { return &c.LogprobsResult }),
		)},
	}}

// These are the same in every form.
var (
	contentMembers     = answer.NewContentTable(detailNoCounterpart)
	callMembers        = answer.NewCallTable(detailNoCounterpart)
	carriedPartMembers = answer.NewCallPartTable(detailNoCounterpart)
)

// partMembers are the members of a part, by the message member that holds it. A part that no member
// holds is lost. reportPart handles a signature that the id of a call carries, because that depends
// on the options.
var partMembers = map[openaiapi.PartMember]*answer.PartTable{
	openaiapi.PartMemberContent: newPartTable(
		answer.Member[geminiapi.Part]{Pointer: "/text",
			Take: answer.Value(func(p *geminiapi.Part) **string { return &p.Text })},
	),
	openaiapi.PartMemberAudio: newPartTable(
		answer.Member[geminiapi.Part]{Pointer: "/inlineData",
			Take: answer.Value(func(p *geminiapi.Part) **geminiapi.Blob { return &p.InlineData })},
	),
	openaiapi.PartMemberToolCalls: newPartTable(answer.CallRow),
}

// newPartTable returns the table of parts that a message shows in one member.
func newPartTable(shown answer.Member[geminiapi.Part]) *answer.PartTable {
	return &answer.PartTable{Detail: detailNoCounterpart, Members: []answer.Member[geminiapi.Part]{
		shown,
		answer.NoThoughtRow,
		{Pointer: "/thoughtSignature", Take: answer.If(
			func(p *geminiapi.Part) bool { return jsonx.Deref(p.ThoughtSignature) == "" },
			answer.Value(func(p *geminiapi.Part) **string { return &p.ThoughtSignature }),
		)},
	}}
}

// mediaMembers are the members of media in a part. The message has the bytes.
var mediaMembers = &answer.MediaTable{Detail: detailNoCounterpart,
	Members: []answer.Member[geminiapi.Blob]{
		{Pointer: "/data", Take: answer.Value(func(b *geminiapi.Blob) **string { return &b.Data })},
	}}

// reportResponse reports what the completion does not show of the response's own members. Its
// second argument reports whether the completion is a refusal.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	responseMembers.Report(entries, "", wire, answer.FeedbackShown(isRefusal))
	if counts := wire.UsageMetadata; counts != nil {
		usageMembers.Report(entries, "", counts,
			func(path []string, _ string) bool { return showsSound(counts, path) })
	}
}

// loseCandidate reports what the choice does not show of the candidate at a position.
func (c *converter) loseCandidate(candidate *normalize.Candidate, at int) {
	wire := candidate.WireMetadata()
	var counted []geminiapi.GroundingChunk
	if wire.GroundingMetadata != nil {
		counted = wire.GroundingMetadata.GroundingChunks
	}
	reportCandidate(&c.report, answer.Pointer(at, ""), wire, counted)
}

// reportCandidate reports what the choice does not show of the candidate at a pointer. counted
// collects the sources that the supports refer to.
func reportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate,
	counted []geminiapi.GroundingChunk) {
	shows := unshown.Nothing
	if wire.GroundingMetadata != nil || wire.CitationMetadata != nil ||
		wire.URLContextMetadata != nil || wire.LogprobsResult != nil {
		shows = (&shownMembers{candidate: wire, counted: counted}).shows
	}
	answer.ReportCandidate(entries, at, wire, candidateMembers, contentMembers, shows)
}

// loseBlocks reports what the message does not show of the content.
func (c *converter) loseBlocks(blocks []normalize.Block, members []openaiapi.PartMember, at int) {
	if isJoined(members) {
		c.report.Add(report.Approximated, answer.Pointer(at, "/content/parts"), detailJoined)
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Extra != nil && merge.HasLeftOver(b.Extra.FunctionCall) {
			c.report.Add(report.Lost, answer.PartPointer(at, b.Part, "/functionCall"),
				answer.DetailLeftOver)
		}
		c.reportPart(&c.report, answer.PartPointer(at, b.Part, ""),
			merge.WithoutPieces(b.WirePart()), members[i])
	}
}

// isJoined reports whether the content consists of several parts, or comes after a tool call.
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

// reportPart reports what no member of a message shows of the part at a pointer, or of a piece of a
// call. The member is the one that holds the part, or "".
func (o *options) reportPart(entries *report.Report, at string, wire *geminiapi.Part,
	member openaiapi.PartMember) {
	members := partMembers[member]
	if member == openaiapi.PartMemberToolCalls && o.carries(wire.FunctionCall) {
		members = carriedPartMembers
	}
	if members == nil {
		entries.Add(report.Lost, at, detailNoCounterpart)
		return
	}
	members.Report(entries, at, wire, unshown.Nothing)
	switch member {
	case openaiapi.PartMemberAudio:
		mediaMembers.Report(entries, at+"/inlineData", wire.InlineData, unshown.Nothing)
	case openaiapi.PartMemberToolCalls:
		callMembers.Report(entries, at+"/functionCall", wire.FunctionCall, unshown.Nothing)
	}
}
