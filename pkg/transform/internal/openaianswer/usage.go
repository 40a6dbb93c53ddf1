package openaianswer

import (
	"math"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// AddTokens adds token counts. A count below 0 counts as 0.
func AddTokens(a, b int) int {
	const highest = math.MaxInt / 4
	return min(max(a, 0), highest) + min(max(b, 0), highest)
}

// ReportCounts reports the counts that an answer shows in another form. No table can do this,
// because it depends on the values. Counts that do not add up can be read in a second way, in which
// candidate tokens include thoughts. total is the answer's sum. input is the member that includes
// tokens of server tools. Without extensions it is reported.
func ReportCounts(entries *report.Report, u *normalize.Usage, total int, input string,
	isPlain bool) {
	w := u.Wire
	for _, n := range []struct {
		member string
		count  *int
	}{
		{"/promptTokenCount", w.PromptTokenCount},
		{"/candidatesTokenCount", w.CandidatesTokenCount},
		{"/thoughtsTokenCount", w.ThoughtsTokenCount},
		{"/toolUsePromptTokenCount", w.ToolUsePromptTokenCount},
		{"/cachedContentTokenCount", w.CachedContentTokenCount},
	} {
		// package normalize uses the nearest count
		if n.count != nil && (*n.count < 0 || *n.count > math.MaxInt32) {
			entries.Add(report.Approximated, answer.UsagePointer+n.member,
				"replaced by the nearest possible count")
		}
	}
	if w.CachedContentTokenCount != nil && *w.CachedContentTokenCount > u.CachedTokens &&
		*w.CachedContentTokenCount <= math.MaxInt32 {
		entries.Add(report.Approximated, answer.UsagePointer+"/cachedContentTokenCount",
			"more than the count of the prompt, which is used instead")
	}
	if w.CandidatesTokenCount != nil && *w.CandidatesTokenCount > 0 && u.OutputTokens == 0 {
		entries.Add(report.Approximated, answer.UsagePointer+"/candidatesTokenCount",
			"read as part of the thoughts, because the counts do not add up")
	}
	if w.TotalTokenCount != nil && *w.TotalTokenCount != total {
		entries.Add(report.Approximated, answer.UsagePointer+"/totalTokenCount",
			"replaced in total_tokens by the sum of the counts")
	}
	if isPlain && u.ToolUseTokens > 0 {
		entries.Add(report.Approximated, answer.UsagePointer+"/toolUsePromptTokenCount",
			"included in "+input)
	}
}
