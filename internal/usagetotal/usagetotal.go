// Package usagetotal adds the token counts of several responses.
package usagetotal

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Add adds the token counts of a response to a total, for each count and each modality. A count
// that both lack is absent. A member that is not a count, such as the service tier, is the
// response's, if the response has it. nil is a response without usage. Add does not modify its
// arguments or their lists.
func Add(total, more *geminiapi.UsageMetadata) *geminiapi.UsageMetadata {
	if more == nil {
		return total
	}
	out := *more
	if total == nil {
		return &out
	}
	for _, count := range counts {
		into, before := count(&out), *count(total)
		*into = sum(before, *into)
	}
	for _, details := range modalities {
		into, before := details(&out), *details(total)
		*into = sumByModality(before, *into)
	}
	if out.ServiceTier == nil {
		out.ServiceTier = total.ServiceTier
	}
	if out.TrafficType == nil {
		out.TrafficType = total.TrafficType
	}
	out.BillablePromptUsage = sumBilled(total.BillablePromptUsage, out.BillablePromptUsage)
	return &out
}

// counts are the members that count tokens.
var counts = []func(*geminiapi.UsageMetadata) **int{
	func(u *geminiapi.UsageMetadata) **int { return &u.CachedContentTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.CandidatesTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.InitialPromptTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.PromptTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.ResponseTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.ThoughtsTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.ToolUsePromptTokenCount },
	func(u *geminiapi.UsageMetadata) **int { return &u.TotalTokenCount },
}

// modalities are the members that split a count by modality.
var modalities = []func(*geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount{
	func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CacheTokensDetails },
	func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.CandidatesTokensDetails },
	func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.PromptTokensDetails },
	func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.ResponseTokensDetails },
	func(u *geminiapi.UsageMetadata) *[]geminiapi.ModalityTokenCount { return &u.ToolUsePromptTokensDetails },
}

// sumBilled adds the billed counts of the prompts.
func sumBilled(a, b *geminiapi.BillablePromptUsage) *geminiapi.BillablePromptUsage {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	out := *b
	out.TextCount = sum(a.TextCount, b.TextCount)
	return &out
}

func sum(a, b *int) *int {
	if a == nil && b == nil {
		return nil
	}
	return new(jsonx.Deref(a) + jsonx.Deref(b))
}

func sumByModality(before, more []geminiapi.ModalityTokenCount) []geminiapi.ModalityTokenCount {
	out := slices.Clone(before)
	for _, detail := range more {
		i := slices.IndexFunc(out, func(d geminiapi.ModalityTokenCount) bool {
			return jsonx.Deref(d.Modality) == jsonx.Deref(detail.Modality)
		})
		if i < 0 {
			out = append(out, detail)
			continue
		}
		out[i].TokenCount = sum(out[i].TokenCount, detail.TokenCount)
	}
	return out
}
