package interactions

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// usageOf converts the token counts, so that the total is the sum of input, output, thought and
// tool use. It returns nil if there are no counts.
func usageOf(u *normalize.Usage) *interactionsapi.Usage {
	if u.Wire == nil && u.InputTokens+u.OutputTokens+u.ThinkingTokens == 0 {
		return nil
	}
	c := &struct { // one allocation
		usage                                             interactionsapi.Usage
		total, input, output, thought, toolUse, cachedSum int
		counts                                            [2]interactionsapi.ModalityTokens
		names                                             [2]interactionsapi.ResponseModality
	}{
		total: u.InputTokens + u.OutputTokens + u.ThinkingTokens,
		input: u.InputTokens - u.ToolUseTokens, output: u.OutputTokens, thought: u.ThinkingTokens,
		toolUse: u.ToolUseTokens, cachedSum: min(u.CachedTokens, u.InputTokens-u.ToolUseTokens),
	}
	c.usage = interactionsapi.Usage{
		TotalTokens: &c.total, TotalInputTokens: &c.input, TotalOutputTokens: &c.output,
		TotalThoughtTokens: &c.thought, TotalToolUseTokens: &c.toolUse,
		TotalCachedTokens: &c.cachedSum,
	}
	if w := u.Wire; w != nil {
		c.usage.InitialInputTokens = w.InitialPromptTokenCount
		all := modalityCounts{c.counts[:], c.names[:]}
		all.grow(len(w.PromptTokensDetails) + len(w.CandidatesTokensDetails) +
			len(w.CacheTokensDetails) + len(w.ToolUsePromptTokensDetails))
		c.usage.InputTokensByModality = all.convert(w.PromptTokensDetails)
		c.usage.OutputTokensByModality = all.convert(w.CandidatesTokensDetails)
		c.usage.CachedTokensByModality = all.convert(w.CacheTokensDetails)
		c.usage.ToolUseTokensByModality = all.convert(w.ToolUsePromptTokensDetails)
	}
	return &c.usage
}

// modalityCounts is the memory of the lists of counts by modality.
type modalityCounts struct {
	counts []interactionsapi.ModalityTokens
	names  []interactionsapi.ResponseModality
}

// grow makes room for a number of counts.
func (m *modalityCounts) grow(n int) {
	if n > len(m.counts) {
		m.counts = make([]interactionsapi.ModalityTokens, n)
		m.names = make([]interactionsapi.ResponseModality, n)
	}
}

// convert converts counts by modality, whose names are in lower case.
func (m *modalityCounts) convert(
	list []geminiapi.ModalityTokenCount) []interactionsapi.ModalityTokens {
	n := len(list)
	if n == 0 {
		return nil
	}
	out, names := m.counts[:n:n], m.names[:n:n]
	m.counts, m.names = m.counts[n:], m.names[n:]
	for i := range list {
		out[i].Tokens = list[i].TokenCount
		if list[i].Modality != nil {
			names[i] = modality(*list[i].Modality)
			out[i].Modality = &names[i]
		}
	}
	return out
}

// modality returns the name of a modality in an interaction.
func modality(m geminiapi.Modality) interactionsapi.ResponseModality {
	switch m { // most have one of these, which need no memory for the name
	case geminiapi.ModalityText:
		return interactionsapi.ResponseModalityText
	case geminiapi.ModalityImage:
		return interactionsapi.ResponseModalityImage
	default:
		return interactionsapi.ResponseModality(strings.ToLower(string(m)))
	}
}

// serviceTier returns the tier of an answer, or nil.
func serviceTier(u *normalize.Usage) *interactionsapi.ServiceTier {
	if u.Wire == nil || u.Wire.ServiceTier == nil {
		return nil
	}
	return (*interactionsapi.ServiceTier)(u.Wire.ServiceTier)
}

// changedCounts reports the counts that the interaction has with another value.
func changedCounts(u *normalize.Usage, out *interactionsapi.Usage) (entries report.Report) {
	w := u.Wire
	if w == nil || out == nil {
		return nil
	}
	for _, n := range []struct {
		member string
		wire   *int
		shown  *int
	}{
		{"/promptTokenCount", w.PromptTokenCount, out.TotalInputTokens},
		{"/candidatesTokenCount", w.CandidatesTokenCount, out.TotalOutputTokens},
		{"/thoughtsTokenCount", w.ThoughtsTokenCount, out.TotalThoughtTokens},
		{"/toolUsePromptTokenCount", w.ToolUsePromptTokenCount, out.TotalToolUseTokens},
		{"/cachedContentTokenCount", w.CachedContentTokenCount, out.TotalCachedTokens},
		{"/totalTokenCount", w.TotalTokenCount, out.TotalTokens},
	} {
		if n.wire != nil && *n.wire != *n.shown {
			entries.Add(report.Approximated, answer.UsagePointer+n.member, detailSum)
		}
	}
	return entries
}

const detailSum = "replaced by the nearest count with which the total is the sum of the others"

// usageRest returns the members of the wire's counts that the interaction does not show, or nil.
// areChanged is true if it shows some of the counts with another value.
func usageRest(w *geminiapi.UsageMetadata, areChanged bool) *geminiapi.UsageMetadata {
	if w == nil {
		return nil
	}
	if areChanged {
		return w
	}
	rest := geminiapi.UsageMetadata{
		BillablePromptUsage: w.BillablePromptUsage, ResponseTokenCount: w.ResponseTokenCount,
		ResponseTokensDetails: w.ResponseTokensDetails, TrafficType: w.TrafficType,
		Unknown: w.Unknown,
	}
	rest.PromptTokensDetails = unknownDetails(w.PromptTokensDetails)
	rest.CandidatesTokensDetails = unknownDetails(w.CandidatesTokensDetails)
	rest.CacheTokensDetails = unknownDetails(w.CacheTokensDetails)
	rest.ToolUsePromptTokensDetails = unknownDetails(w.ToolUsePromptTokensDetails)
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

// unknownDetails returns the list if one of its counts has an unknown member, else nil.
func unknownDetails(list []geminiapi.ModalityTokenCount) []geminiapi.ModalityTokenCount {
	for i := range list {
		if list[i].Unknown != nil {
			return list
		}
	}
	return nil
}
