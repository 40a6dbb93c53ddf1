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
	made := &struct { // one allocation
		usage  geminiapi.UsageMetadata
		total  int
		counts [2]geminiapi.ModalityTokenCount
		names  [2]geminiapi.Modality
	}{}
	all := modalityCounts{made.counts[:], made.names[:]}
	all.grow(len(u.InputTokensByModality) + len(u.OutputTokensByModality) +
		len(u.ToolUseTokensByModality) + len(u.CachedTokensByModality))
	left := interactionsapi.Usage{GroundingToolCount: u.GroundingToolCount, Unknown: u.Unknown}
	out = &made.usage
	*out = geminiapi.UsageMetadata{
		PromptTokenCount: u.TotalInputTokens, CandidatesTokenCount: u.TotalOutputTokens,
		ThoughtsTokenCount: u.TotalThoughtTokens, ToolUsePromptTokenCount: u.TotalToolUseTokens,
		CachedContentTokenCount: u.TotalCachedTokens, InitialPromptTokenCount: u.InitialInputTokens,
	}
	out.PromptTokensDetails, left.InputTokensByModality = all.convert(u.InputTokensByModality)
	out.CandidatesTokensDetails, left.OutputTokensByModality = all.convert(
		u.OutputTokensByModality)
	out.ToolUsePromptTokensDetails, left.ToolUseTokensByModality = all.convert(
		u.ToolUseTokensByModality)
	out.CacheTokensDetails, left.CachedTokensByModality = all.convert(u.CachedTokensByModality)
	if sum, some := total(u, entries); some {
		made.total = sum
		out.TotalTokenCount = &made.total
	}
	if u.TotalTokens != nil && *u.TotalTokens != *out.TotalTokenCount {
		left.TotalTokens = u.TotalTokens
	}
	if left.IsEmpty() {
		return out, nil
	}
	return out, new(left)
}

// total returns the sum of the counts. some is false if there are no counts.
func total(u *interactionsapi.Usage, entries *report.Report) (sum int, some bool) {
	some = u.TotalTokens != nil
	for _, count := range []*int{u.TotalInputTokens, u.TotalOutputTokens, u.TotalThoughtTokens,
		u.TotalToolUseTokens} {
		sum, some = sum+jsonx.Deref(count), some || count != nil
	}
	switch {
	case !some:
	case u.TotalTokens == nil:
		entries.Add(report.Added, "/usage/total_tokens", detailNoSum)
	case *u.TotalTokens != sum:
		entries.Add(report.Approximated, "/usage/total_tokens", detailSum)
	}
	return sum, some
}

// modalityCounts is the memory of the lists of counts by modality.
type modalityCounts struct {
	counts []geminiapi.ModalityTokenCount
	names  []geminiapi.Modality
}

// grow makes room for a number of counts.
func (c *modalityCounts) grow(n int) {
	if n > len(c.counts) {
		c.counts = make([]geminiapi.ModalityTokenCount, n)
		c.names = make([]geminiapi.Modality, n)
	}
}

// convert returns counts by modality in Gemini's form. rest is the list if Gemini's form does not
// have all of it.
func (c *modalityCounts) convert(list []interactionsapi.ModalityTokens) (
	out []geminiapi.ModalityTokenCount, rest []interactionsapi.ModalityTokens) {
	n := len(list)
	if n == 0 {
		return nil, nil
	}
	out, names := c.counts[:n:n], c.names[:n:n]
	c.counts, c.names = c.counts[n:], c.names[n:]
	for i := range list {
		m := &list[i]
		out[i].TokenCount = m.Tokens
		if m.Modality != nil {
			names[i] = modality(*m.Modality)
			out[i].Modality = &names[i]
			if !isLower(string(*m.Modality)) {
				rest = list
			}
		}
		if m.Unknown != nil {
			rest = list
		}
	}
	return out, rest
}

// modality returns the name of a modality in Gemini's form.
func modality(m interactionsapi.ResponseModality) geminiapi.Modality {
	switch m { // most have one of these, which need no memory for the name
	case interactionsapi.ResponseModalityText:
		return geminiapi.ModalityText
	case interactionsapi.ResponseModalityImage:
		return geminiapi.ModalityImage
	default:
		return geminiapi.Modality(strings.ToUpper(string(m)))
	}
}

func isLower(text string) bool { return strings.ToLower(text) == text }
