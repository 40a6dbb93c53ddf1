package messages

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// The tables of this file define what a message makes of each member of an answer. A whole answer
// and each chunk of a stream have the same members, so the tables serve both. Code handles these
// cases:
//
//   - counts whose values differ (reportUsage);
//   - parts (part.go, code.go), because making a block decides what it does not show of its part;
//   - signatures and thoughts (thinking.go), because the blocks around them decide where they can
//     go;
//   - values of search results (showsGrounding), because other values decide which of them are
//     shown;
//   - why a candidate ended (options.stopOf), which depends on its calls too.

// responseMembers are the members of a response except its candidates. The counts have their own
// table.
var responseMembers = answer.NewResponseTable(detailNoCounterpart,
	answer.Member[geminiapi.GenerateContentResponse]{
		Pointer: "/createTime",
		Take:    answer.Value(func(r *geminiapi.GenerateContentResponse) **string { return &r.CreateTime }),
		Kind:    report.Approximated, Detail: detailDescribes,
	})

// candidateMembers are the members of a candidate except its content. The stop reason shows why the
// candidate ended, and a refusal has the explanation.
var candidateMembers = &answer.CandidateTable{Detail: detailNoCounterpart,
	Members: []answer.Member[geminiapi.Candidate]{
		answer.ContentRow,
		answer.FirstIndexRow,
		{Pointer: "/finishMessage", Take: answer.If(isRefusalOrSilent, finishMessage)},
		// The message of a normal end repeats the reason: "Model generated function call(s)."
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

// finishMessage takes the finishMessage of a candidate.
var finishMessage = answer.Value(func(c *geminiapi.Candidate) **string { return &c.FinishMessage })

// isRefusalOrSilent reports whether a finishMessage is empty, or is shown in the explanation of a
// refusal.
func isRefusalOrSilent(c *geminiapi.Candidate) bool {
	return jsonx.Deref(c.FinishMessage) == "" ||
		normalize.MapFinishReason(jsonx.Deref(c.FinishReason)) == normalize.FinishContentFilter
}

func isProperEnd(c *geminiapi.Candidate) bool {
	reason := jsonx.Deref(c.FinishReason)
	return reason == geminiapi.FinishReasonStop || reason == geminiapi.FinishReasonMaxTokens
}

// These are the same in every form.
var (
	contentMembers  = answer.NewContentTable(detailNoCounterpart)
	callMembers     = answer.NewCallTable(detailNoCounterpart)
	callPartMembers = answer.NewCallPartTable(detailNoCounterpart)
)

// usageMembers are the token counts. reportUsage handles counts whose values differ.
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
	// if Anthropic has this tier
	answer.Member[geminiapi.UsageMetadata]{Pointer: answer.UsagePointer + "/serviceTier",
		Take: answer.If(
			func(u *geminiapi.UsageMetadata) bool { tier := serviceTier(u); return !tier.IsNull() },
			answer.Value(func(u *geminiapi.UsageMetadata) **geminiapi.ServiceTier { return &u.ServiceTier }),
		)},
)

// summed is the table row of a list whose sum is in the message.
func summed(member string,
	of func(*geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount) answer.Member[geminiapi.UsageMetadata] {
	return answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + member, Take: answer.List(of), Kind: report.Approximated,
		Detail: "converted to their sum",
	}
}

// reportResponse reports what a message does not show of the response's own members. isRefusal
// reports whether the message is a refusal.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	if wire.UsageMetadata != nil {
		usageMembers.Report(entries, "", wire.UsageMetadata, unshown.Nothing)
	}
	responseMembers.Report(entries, "", wire, answer.FeedbackShown(isRefusal))
}

// reportCandidate reports what a message does not show of the own members of the candidate at a
// pointer.
func (o *options) reportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	shows := unshown.Nothing
	if o.webSearch {
		shows = showsSearch
	}
	answer.ReportCandidate(entries, at, wire, candidateMembers, contentMembers, shows)
}

// showsSearch reports whether a message with search results shows a value of a candidate.
func showsSearch(path []string, _ string) bool {
	return path[0] == "groundingMetadata" && showsGrounding(path[1:])
}

const (
	// detailDescribes is the detail for metadata that both services add to nearly every answer.
	// Clients of this API have not asked for it.
	detailDescribes      = "omitted, because it describes the answer, and the Messages API has no member for it"
	detailInAWord        = "omitted, because the stop reason expresses it"
	detailOtherCandidate = "a message has only one answer"
)
