package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// The tables of this file define what an interaction without extensions makes of each member of an
// answer. With extensions it has all of them. A whole answer and each chunk of a stream have the
// same members, so the tables serve both. Code handles these cases:
//
//   - counts whose values differ (changedCounts);
//   - parts (encoder.report), because making a step decides what it does not show of its part;
//   - the sources (encoder.reportGrounding), because the texts decide which of them are shown;
//   - why a candidate ended (endOf), which depends on its calls too.

// responseMembers are the members of a response except its candidates. The counts have their own
// table.
var responseMembers = answer.NewResponseTable(detailNoMember,
	answer.Member[geminiapi.GenerateContentResponse]{
		Pointer: "/createTime",
		Take:    answer.Value(func(r *geminiapi.GenerateContentResponse) **string { return &r.CreateTime }),
	})

// candidateMembers are the members of a candidate except its content.
var candidateMembers = &answer.CandidateTable{Detail: detailNoMember,
	Members: []answer.Member[geminiapi.Candidate]{
		answer.ContentRow,
		answer.FirstIndexRow,
		answer.EmptyMessageRow,
		{Pointer: "/finishMessage", Take: answer.If(isFailure, finishMessage)},
		// The message of a normal end repeats the reason: "Model generated function call(s)."
		{Pointer: "/finishMessage", Take: answer.If(isExact, finishMessage),
			Kind: report.Approximated, Detail: detailInAWord},
		{Pointer: "/continuationToken", Take: answer.If(
			func(c *geminiapi.Candidate) bool {
				return jsonx.Deref(c.FinishReason) == geminiapi.FinishReasonContinuation
			},
			answer.Value(func(c *geminiapi.Candidate) **string { return &c.ContinuationToken }),
		)},
		answer.FinishReasonRow,
		{
			Pointer: "/groundingMetadata", // see reportGrounding
			Take:    answer.Value(func(c *geminiapi.Candidate) **geminiapi.GroundingMetadata { return &c.GroundingMetadata }),
		},
	}}

// finishMessage takes the finishMessage of a candidate.
var finishMessage = answer.Value(func(c *geminiapi.Candidate) **string { return &c.FinishMessage })

// isFailure reports whether an error of the interaction has the finishMessage.
func isFailure(c *geminiapi.Candidate) bool {
	return endings[jsonx.Deref(c.FinishReason)].code != ""
}

func isExact(c *geminiapi.Candidate) bool { return endings[jsonx.Deref(c.FinishReason)].exact }

// These are the same in every form.
var (
	contentMembers  = answer.NewContentTable(detailNoMember)
	callMembers     = answer.NewCallTable(detailNoMember)
	callPartMembers = answer.NewCallPartTable(detailNoMember)
)

// usageMembers are the token counts. changedCounts handles counts whose values differ.
var usageMembers = answer.NewUsageTable(detailNoMember,
	details("/promptTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.PromptTokensDetails }),
	details("/cacheTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CacheTokensDetails }),
	details("/candidatesTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CandidatesTokensDetails }),
	details("/toolUsePromptTokensDetails",
		func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.ToolUsePromptTokensDetails }),
	answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + "/serviceTier",
		Take:    answer.Value(func(u *geminiapi.UsageMetadata) **geminiapi.ServiceTier { return &u.ServiceTier }),
	},
	answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + "/initialPromptTokenCount",
		Take:    answer.Value(func(u *geminiapi.UsageMetadata) **int { return &u.InitialPromptTokenCount }),
	},
)

// details is the table row of counts by modality. An unknown member of a count is lost.
func details(member string,
	of func(*geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount) answer.Member[geminiapi.UsageMetadata] {
	return answer.Member[geminiapi.UsageMetadata]{
		Pointer: answer.UsagePointer + member,
		Take: answer.If(func(u *geminiapi.UsageMetadata) bool {
			return unknownDetails(*of(u)) == nil
		}, answer.List(of)),
	}
}

// reportResponse reports what an interaction does not show of the response's own members. isRefusal
// reports whether the prompt was refused.
func reportResponse(entries *report.Report, wire *geminiapi.GenerateContentResponse,
	isRefusal bool) {
	if wire.UsageMetadata != nil {
		usageMembers.Report(entries, "", wire.UsageMetadata, unshown.Nothing)
	}
	responseMembers.Report(entries, "", wire, answer.FeedbackShown(isRefusal))
}

// reportCandidate reports what an interaction does not show of the own members of the candidate at
// a pointer.
func (e *encoder) reportCandidate(entries *report.Report, at string, wire *geminiapi.Candidate) {
	answer.ReportCandidate(entries, at, wire, candidateMembers, contentMembers, e.showsCandidate)
}

// showsCandidate reports whether an interaction shows a value of a candidate.
func (e *encoder) showsCandidate(path []string, value string) bool {
	if len(path) != 4 || path[0] != "urlContextMetadata" || path[1] != "urlMetadata" {
		return false
	}
	isDerived := !e.tools.seen[interactionsapi.StepTypeURLContextCall]
	switch path[3] {
	case "retrievedUrl":
		return isDerived || e.tools.says(value)
	case "urlRetrievalStatus":
		return isDerived || e.tools.says(string(pageStatus(geminiapi.URLRetrievalStatus(value))))
	default:
		return false
	}
}

// reportCall reports what a step does not show of a function call part, or of a piece of it.
func reportCall(entries *report.Report, part *geminiapi.Part) {
	answer.ReportCall(entries, part, callPartMembers, callMembers)
}

// groundingReport reports how the sources of a candidate were converted, with pointers into the
// candidate. isShown is true if steps show everything that the metadata say.
func (e *encoder) groundingReport(g *geminiapi.GroundingMetadata) (entries report.Report,
	isShown bool) {
	const at = "/groundingMetadata"
	if g == nil {
		return nil, true
	}
	var lost report.Report
	unshown.Add(&lost, at, g, e.showsGrounding, detailNoMember)
	isShown = len(lost) == 0
	switch {
	case len(e.sources.placed) < len(g.GroundingSupports) && !e.plain:
		entries.Add(report.Approximated, at+"/groundingSupports", detailUnplaced)
	case len(e.sources.placed) > 0 && (e.plain || isShown):
		entries.Add(report.Approximated, at+"/groundingSupports", detailOffsets)
	}
	if e.plain {
		entries = append(entries, lost...)
	}
	return entries, isShown
}

// showsGrounding reports whether steps show a value of the metadata about sources.
func (e *encoder) showsGrounding(path []string, value string) bool {
	switch path[0] {
	case "webSearchQueries", "imageSearchQueries", "googleMapsWidgetContextToken":
		return e.tools.says(value)
	case "searchEntryPoint":
		return len(path) == 2 && path[1] == "renderedContent" && e.tools.says(value)
	case "groundingSupports":
		return len(path) > 2 && e.sources.placed[position(path[1])] && showsSupport(path[2:])
	case "groundingChunks":
		isShown := e.sources.shown[position(path[1])]
		return len(path) > 3 && (isShown || path[2] == "maps" && e.tools.derived["google_maps"]) &&
			showsSource(path[2:])
	default:
		return false
	}
}

func position(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// showsSupport reports whether annotations show a value of a support. The text of a segment is
// reported with all supports.
func showsSupport(path []string) bool {
	switch path[0] {
	case "groundingChunkIndices":
		return true
	case "segment":
		return len(path) == 2 && (path[1] == "startIndex" || path[1] == "endIndex" ||
			path[1] == "partIndex" || path[1] == "text")
	default:
		return false
	}
}

// sourceMembers are the members of a source that an annotation shows.
var sourceMembers = map[string]map[string]bool{
	"web":              {"uri": true, "title": true},
	"image":            {"sourceUri": true, "title": true},
	"retrievedContext": {"uri": true, "title": true, "text": true, "pageNumber": true, "mediaId": true},
	"maps":             {"placeId": true, "title": true, "uri": true},
}

// showsSource reports whether an annotation shows a value of a source.
func showsSource(path []string) bool {
	if len(path) == 2 {
		return sourceMembers[path[0]][path[1]]
	}
	return len(path) == 5 && path[0] == "maps" && path[1] == "placeAnswerSources" &&
		(path[2] == "reviewSnippets" || path[2] == "reviewSnippet") &&
		(path[4] == "reviewId" || path[4] == "title" || path[4] == "googleMapsUri")
}

// Details of entries.
const (
	detailNoMember       = "an interaction has no member for it"
	detailInAWord        = "omitted, because the status expresses it"
	detailOtherCandidate = "an interaction has only one answer"
	detailUnplaced       = "the extension has supports whose text no open step has"
	detailOffsets        = "an annotation has the offsets of a span and not its text"
)
