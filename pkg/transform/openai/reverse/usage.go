package reverse

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

const (
	usagePointer    = "/usage"
	detailOwnCounts = "the extension has Gemini's own counts"
)

// usage converts the counts of tokens, so that prompt, candidates and thoughts add up to the total, as Gemini's do. Gemini's
// own record counts, where there is one.
func usage(u *openaiapi.CompletionUsage, own *geminiapi.UsageMetadata, report *reporter) *geminiapi.UsageMetadata {
	switch {
	case u == nil:
		return own
	case own != nil:
		report.add(transform.Approximated, usagePointer, detailOwnCounts)
		return own
	case isNothing(u):
		return nil
	}
	u, taken := withForeignCounts(u)
	u = counted(u, report)
	prompt, completion := optional.Value(u.PromptTokensDetails), optional.Value(u.CompletionTokensDetails)
	thoughts := optional.Value(completion.ReasoningTokens)
	candidates := u.CompletionTokens
	if !isExclusive(u, thoughts) {
		candidates = max(candidates-thoughts, 0)
	}
	out := &geminiapi.UsageMetadata{
		PromptTokenCount:     new(u.PromptTokens),
		CandidatesTokenCount: &candidates,
		TotalTokenCount:      new(u.PromptTokens + candidates + thoughts),
	}
	if completion.ReasoningTokens != nil {
		out.ThoughtsTokenCount = completion.ReasoningTokens
	}
	if prompt.CachedTokens != nil {
		out.CachedContentTokenCount = prompt.CachedTokens
	}
	out.PromptTokensDetails = modalities(prompt.TextTokens, prompt.ImageTokens, prompt.AudioTokens, countIn(prompt.Unknown, memberVideo))
	out.CandidatesTokensDetails = modalities(completion.TextTokens, countIn(completion.Unknown, memberImage), completion.AudioTokens, nil)
	reportUsage(u, *out.TotalTokenCount, report)
	report.loseUnknown(usagePointer, u.Unknown, taken...)
	return out
}

// isNothing reports whether a record counts nothing and says nothing else.
func isNothing(u *openaiapi.CompletionUsage) bool {
	return u.PromptTokens == 0 && u.CompletionTokens == 0 && u.TotalTokens == 0 && u.PromptTokensDetails == nil &&
		u.CompletionTokensDetails == nil && u.Unknown == nil
}

// mostTokens is above any count of tokens. More is none, and sums of more are no numbers.
const mostTokens = 500_000_000

// counted returns the counts with the nearest ones in place of what are none, which it reports.
func counted(u *openaiapi.CompletionUsage, report *reporter) *openaiapi.CompletionUsage {
	out := *u
	clamp := func(name string, count *int) {
		if nearest := min(max(*count, 0), mostTokens); nearest != *count {
			report.add(transform.Approximated, usagePointer+name, "not a count of tokens; taken as the nearest one")
			*count = nearest
		}
	}
	clamp("/prompt_tokens", &out.PromptTokens)
	clamp("/completion_tokens", &out.CompletionTokens)
	if d := out.PromptTokensDetails; d != nil && d.CachedTokens != nil {
		d = new(*d)
		d.CachedTokens = new(*d.CachedTokens)
		clamp("/prompt_tokens_details/cached_tokens", d.CachedTokens)
		out.PromptTokensDetails = d
	}
	if d := out.CompletionTokensDetails; d != nil && d.ReasoningTokens != nil {
		d = new(*d)
		d.ReasoningTokens = new(*d.ReasoningTokens)
		clamp("/completion_tokens_details/reasoning_tokens", d.ReasoningTokens)
		out.CompletionTokensDetails = d
	}
	return &out
}

// isExclusive reports whether completion_tokens does not count the reasoning, as Google's own endpoint and some others have it.
func isExclusive(u *openaiapi.CompletionUsage, thoughts int) bool {
	return u.PromptTokens+u.CompletionTokens != u.TotalTokens && u.PromptTokens+u.CompletionTokens+thoughts == u.TotalTokens ||
		thoughts > u.CompletionTokens
}

// modalities lists the counts that are there.
func modalities(text, image, audio, video *int) []geminiapi.ModalityTokenCount {
	var out []geminiapi.ModalityTokenCount
	for _, m := range []struct {
		modality geminiapi.Modality
		count    *int
	}{
		{geminiapi.ModalityText, text},
		{geminiapi.ModalityImage, image},
		{geminiapi.ModalityAudio, audio},
		{geminiapi.ModalityVideo, video},
	} {
		if m.count != nil {
			out = append(out, geminiapi.ModalityTokenCount{Modality: &m.modality, TokenCount: m.count})
		}
	}
	return out
}

// reportUsage reports the counts that Gemini does not have, and a total that is not the sum.
func reportUsage(u *openaiapi.CompletionUsage, total int, report *reporter) {
	if u.TotalTokens != total {
		report.add(transform.Approximated, usagePointer+"/total_tokens", "not the sum of the counts; totalTokenCount is")
	}
	if d := u.PromptTokensDetails; d != nil {
		report.lose(usagePointer+"/prompt_tokens_details/cache_write_tokens", d.CacheWriteTokens != nil)
		report.loseUnknown(usagePointer+"/prompt_tokens_details", d.Unknown, memberVideo)
	}
	if d := u.CompletionTokensDetails; d != nil {
		report.lose(usagePointer+"/completion_tokens_details/accepted_prediction_tokens", d.AcceptedPredictionTokens != nil)
		report.lose(usagePointer+"/completion_tokens_details/rejected_prediction_tokens", d.RejectedPredictionTokens != nil)
		report.loseUnknown(usagePointer+"/completion_tokens_details", d.Unknown, memberImage)
	}
	report.lose(usagePointer+"/extra_properties", u.ExtraProperties != nil)
}
