package responses

import (
	"math"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// usageOf converts the counts so that input and output always add up to the total: what tools of the server added belongs
// to the input, thinking belongs to the output. All members are there, also those that Gemini does not count.
func usageOf(u *normalize.Usage) *openaiapi.ResponseUsage {
	out := &openaiapi.ResponseUsage{
		InputTokens:         addTokens(u.InputTokens, 0),
		InputTokensDetails:  openaiapi.ResponseInputTokens{CachedTokens: addTokens(u.CachedTokens, 0), CacheWriteTokens: new(0)},
		OutputTokens:        addTokens(u.OutputTokens, u.ThinkingTokens),
		OutputTokensDetails: openaiapi.ResponseOutputTokens{ReasoningTokens: addTokens(u.ThinkingTokens, 0)},
	}
	out.TotalTokens = addTokens(out.InputTokens, out.OutputTokens)
	return out
}

const usagePointer = "/usageMetadata"

// reportUsage reports the counts that the response has in another form. Of those that do not add up there is a second
// reading, in which the candidates' tokens include the thoughts.
func reportUsage(entries *report.Report, u *normalize.Usage, out *openaiapi.ResponseUsage, isPlain bool) {
	w := u.Wire
	if w == nil {
		if out.TotalTokens == 0 {
			entries.Add(report.Added, usagePointer, "the response counts no tokens")
		}
		return
	}
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
		if n.count != nil && (*n.count < 0 || *n.count > math.MaxInt32) {
			entries.Add(report.Approximated, usagePointer+n.member, "not a count of tokens; taken as the nearest one")
		}
	}
	if w.CachedContentTokenCount != nil && *w.CachedContentTokenCount > u.CachedTokens && *w.CachedContentTokenCount <= math.MaxInt32 {
		entries.Add(report.Approximated, usagePointer+"/cachedContentTokenCount", "more than the prompt has; taken as all of it")
	}
	if w.CandidatesTokenCount != nil && *w.CandidatesTokenCount > 0 && u.OutputTokens == 0 {
		entries.Add(report.Approximated, usagePointer+"/candidatesTokenCount", "read as part of the thoughts, since the counts do not add up")
	}
	if w.TotalTokenCount != nil && *w.TotalTokenCount != out.TotalTokens {
		entries.Add(report.Approximated, usagePointer+"/totalTokenCount", "not the sum of the counts; total_tokens is")
	}
	if isPlain && u.ToolUseTokens > 0 {
		entries.Add(report.Approximated, usagePointer+"/toolUsePromptTokenCount", "counted in input_tokens")
	}
}

// addTokens adds counts of tokens; one below 0 is none.
func addTokens(a, b int) int {
	const highest = math.MaxInt / 4
	return min(max(a, 0), highest) + min(max(b, 0), highest)
}

// shownCounts are the members of the wire's record that the response has.
var shownCounts = []string{
	"promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "toolUsePromptTokenCount",
	"cachedContentTokenCount", "totalTokenCount",
}

// showsCount reports whether a leaf of the wire's record is a count that the response has.
func showsCount(path []string) bool { return len(path) == 1 && slices.Contains(shownCounts, path[0]) }

// tiers are Gemini's qualities of service in OpenAI's words.
var tiers = map[geminiapi.ServiceTier]openaiapi.ResponseServiceTier{
	geminiapi.ServiceTierStandard: openaiapi.ResponseServiceTierDefault,
	geminiapi.ServiceTierFlex:     openaiapi.ResponseServiceTierFlex,
	geminiapi.ServiceTierPriority: openaiapi.ResponseServiceTierPriority,
}

// tierOf returns the quality of service that the request ran in, which only newer versions of the API tell.
func tierOf(u *normalize.Usage) openaiapi.ResponseServiceTier {
	if u.Wire != nil && u.Wire.ServiceTier != nil {
		if tier, ok := tiers[*u.Wire.ServiceTier]; ok {
			return tier
		}
	}
	return openaiapi.ResponseServiceTierDefault
}
