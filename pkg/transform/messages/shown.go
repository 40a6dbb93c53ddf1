package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// The tables of this file say what a message makes of each member of an answer. A whole answer and
// each chunk of a stream have the same members, so both are reported by them. These rules are by
// hand:
//
//   - counts whose values differ (reportUsage);
//   - parts (part.go, code.go), since what of a part is in no block is known when the block is
//     made;
//   - signatures and thoughts (thinking.go), since the blocks around them decide where they can
//     stand;
//   - the leaves of search results (showsGrounding), since other values decide which of them are
//     shown;
//   - why a candidate ended (options.stopOf), which goes by its calls too.

// responseMembers are the members of a response but its candidates. The counts have a table of
// their own.
var responseMembers = answer.NewResponseTable(detailNoCounterpart,
	answer.Member[geminiapi.GenerateContentResponse]{
		Pointer: "/createTime",
		Take:    answer.Value(func(r *geminiapi.GenerateContentResponse) **string { return &r.CreateTime }),
		Kind:    report.Approximated, Detail: detailDescribes,
	})

// candidateMembers are the members of a candidate but its content. The stop reason says why the
// candidate ended, and a refusal explains it.
var candidateMembers = &answer.CandidateTable{Detail: detailNoCounterpart,
	Members: []answer.Member[geminiapi.Candidate]{
		answer.ContentRow,
		answer.FirstIndexRow,
		{Pointer: "/finishMessage", Take: answer.If(isRefusalOrSilent, finishMessage)},
		// The words for a proper end say no more than the reason: "Model generated function
		// call(s)."
		{Pointer: "/finishMessage", Take: answer.If(isProperEnd, finishMessage),
			Kind: report.Approximated, Detail: detailInAWord},
		{Pointer: "/finishMessage", Take: finishMessage, Kind: report.Lost, Detail: detailInAWord},
		answer.FinishReasonRow,
		{
			Pointer: "/safetyRatings",
			Take:    answer.List(func(c *geminiapi.Candidate) *[]geminiapi.SafetyRating { return &c.SafetyRatings }),
			Kind:    report.Lost, Detail: detailNoCounterpart,
		},
		{
			Pointer: "/avgLogprobs",
			Take:    answer.Value(func(c *geminiapi.Candidate) **float64 { return &c.AvgLogprobs }),
			Kind:    report.Approximated, Detail: detailDescribes,
		},
	}}

// finishMessage takes the message off a candidate.
var finishMessage = answer.Value(func(c *geminiapi.Candidate) **string { return &c.FinishMessage })

// isRefusalOrSilent reports whether a message says nothing, or is in the explanation of a refusal.
func isRefusalOrSilent(c *geminiapi.Candidate) bool {
	return jsonx.Deref(c.FinishMessage) == "" ||
		normalize.MapFinishReason(jsonx.Deref(c.FinishReason)) == normalize.FinishContentFilter
}

func isProperEnd(c *geminiapi.Candidate) bool {
	reason := jsonx.Deref(c.FinishReason)
	return reason == geminiapi.FinishReasonStop || reason == geminiapi.FinishReasonMaxTokens
}

// These are as in every form.
var (
	contentMembers  = answer.NewContentTable(detailNoCounterpart)
	callMembers     = answer.NewCallTable(detailNoCounterpart)
	callPartMembers = answer.NewCallPartTable(detailNoCounterpart)
)

// usageMembers are the counts: what differs in the message is reported by reportUsage.
var usageMembers = answer.NewUsageTable(detailNoCounterpart,
	summed("/promptTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.PromptTokensDetails }),
	summed("/cacheTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CacheTokensDetails }),
	summed("/candidatesTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CandidatesTokensDetails }),
	summed("/toolUsePromptTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.ToolUsePromptTokensDetails }),
	answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + "/trafficType",
		Take:    answer.Value(func(u *geminiapi.UsageMetadata) **geminiapi.TrafficType { return &u.TrafficType }),
		Kind:    report.Approximated, Detail: detailDescribes,
	},
	// if Anthropic has it
	answer.Member[geminiapi.UsageMetadata]{Pointer: answer.UsagePointer + "/serviceTier",
		Take: answer.If(
			func(u *geminiapi.UsageMetadata) bool { tier := serviceTier(u); return !tier.IsNull() },
			answer.Value(func(u *geminiapi.UsageMetadata) **geminiapi.ServiceTier { return &u.ServiceTier }),
		)},
)

// summed is the row of a list whose sum is in the message.
func summed(member string,
	of func(*geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount) answer.Member[geminiapi.UsageMetadata] {
	return answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + member, Take: answer.List(of), Kind: report.Approximated,
		Detail: "their sum is told",
	}
}

// reportResponse adds what a message, which is a refusal or not, does not show of the response's
// own members.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	if wire.UsageMetadata != nil {
		usageMembers.Report(entries, "", wire.UsageMetadata, report.Nothing)
	}
	responseMembers.Report(entries, "", wire, answer.FeedbackShown(isRefusal))
}

// reportCandidate adds what a message does not show of a candidate's own members, which stand at a
// pointer.
func (o *options) reportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	shows := report.Nothing
	if o.webSearch {
		shows = showsSearch
	}
	answer.ReportCandidate(entries, at, wire, candidateMembers, contentMembers, shows)
}

// showsSearch reports whether a message with the results of searches shows a leaf of a candidate.
func showsSearch(path []string, _ string) bool {
	return path[0] == "groundingMetadata" && showsGrounding(path[1:])
}

const (
	// detailDescribes is the detail for what both services add to nearly every answer: it is about
	// the answer, and nobody who asks by this API has asked for it.
	detailDescribes      = "it describes the answer, and the Messages API has no place for it"
	detailInAWord        = "the stop reason tells it in a word"
	detailOtherCandidate = "a message has one answer"
)
