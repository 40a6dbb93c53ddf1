package reverse

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

const (
	detailSum   = "replaced in totalTokenCount by the sum of the counts"
	detailNoSum = "totalTokenCount is the sum of the counts"
)

// usage returns token counts in Gemini's form, and the members of the counts that Gemini does not
// have, or nil. The total is the sum of input, output, thoughts and tools, as in Google's own
// answers.
func usage(u *interactionsapi.Usage, entries *report.Report) (out *geminiapi.UsageMetadata,
	rest *interactionsapi.Usage) {
	if u == nil {
		return nil, nil
	}
	left := interactionsapi.Usage{GroundingToolCount: u.GroundingToolCount, Unknown: u.Unknown}
	out = &geminiapi.UsageMetadata{
		PromptTokenCount: u.TotalInputTokens, CandidatesTokenCount: u.TotalOutputTokens,
		ThoughtsTokenCount: u.TotalThoughtTokens, ToolUsePromptTokenCount: u.TotalToolUseTokens,
		CachedContentTokenCount: u.TotalCachedTokens, InitialPromptTokenCount: u.InitialInputTokens,
	}
	out.PromptTokensDetails, left.InputTokensByModality = modalities(u.InputTokensByModality)
	out.CandidatesTokensDetails, left.OutputTokensByModality = modalities(
		u.OutputTokensByModality)
	out.ToolUsePromptTokensDetails, left.ToolUseTokensByModality = modalities(
		u.ToolUseTokensByModality)
	out.CacheTokensDetails, left.CachedTokensByModality = modalities(u.CachedTokensByModality)
	out.TotalTokenCount = total(u, entries)
	if u.TotalTokens != nil && *u.TotalTokens != *out.TotalTokenCount {
		left.TotalTokens = u.TotalTokens
	}
	if left.IsEmpty() {
		return out, nil
	}
	return out, &left
}

// total returns the sum of the counts, or nil if there are no counts.
func total(u *interactionsapi.Usage, entries *report.Report) *int {
	sum, some := 0, u.TotalTokens != nil
	for _, count := range []*int{u.TotalInputTokens, u.TotalOutputTokens, u.TotalThoughtTokens,
		u.TotalToolUseTokens} {
		sum, some = sum+jsonx.Deref(count), some || count != nil
	}
	switch {
	case !some:
		return nil
	case u.TotalTokens == nil:
		entries.Add(report.Added, "/usage/total_tokens", detailNoSum)
	case *u.TotalTokens != sum:
		entries.Add(report.Approximated, "/usage/total_tokens", detailSum)
	}
	return &sum
}

// modalities returns counts by modality in Gemini's form. rest is the list if Gemini's form does
// not have all of it.
func modalities(list []interactionsapi.ModalityTokens) (out []geminiapi.ModalityTokenCount,
	rest []interactionsapi.ModalityTokens) {
	for i := range list {
		m := &list[i]
		count := geminiapi.ModalityTokenCount{TokenCount: m.Tokens}
		if m.Modality != nil {
			count.Modality = new(geminiapi.Modality(strings.ToUpper(string(*m.Modality))))
			if !isLower(string(*m.Modality)) {
				rest = list
			}
		}
		if m.Unknown != nil {
			rest = list
		}
		out = append(out, count)
	}
	return out, rest
}

func isLower(text string) bool { return strings.ToLower(text) == text }
