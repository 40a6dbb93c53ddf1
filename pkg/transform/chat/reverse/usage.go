package reverse

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

const (
	usagePointer    = "/usage"
	detailOwnCounts = "the extension has Gemini's own counts"
)

// usage converts token counts so that prompt, candidates and thoughts add up to the total, as
// Gemini's counts do. If there is a record of Gemini's own counts, it is used.
func usage(u *openaiapi.CompletionUsage, own *geminiapi.UsageMetadata,
	entries *reporter) *geminiapi.UsageMetadata {
	switch {
	case u == nil:
		return own
	case own != nil:
		entries.add(report.Approximated, usagePointer, detailOwnCounts)
		return own
	case isNothing(u):
		return nil
	}
	u, taken := withForeignCounts(u)
	u = counted(u, entries)
	prompt, completion := jsonx.Deref(u.PromptTokensDetails), jsonx.Deref(u.CompletionTokensDetails)
	thoughts := jsonx.Deref(completion.ReasoningTokens)
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
	video, images := countIn(prompt.Unknown, memberVideo, u.PromptTokens),
		countIn(completion.Unknown, memberImage, u.CompletionTokens)
	out.PromptTokensDetails = modalities(prompt.TextTokens, prompt.ImageTokens, prompt.AudioTokens,
		video)
	out.CandidatesTokensDetails = modalities(completion.TextTokens, images, completion.AudioTokens,
		nil)
	reportUsage(u, *out.TotalTokenCount, entries)
	loseDetails(u, video != nil, images != nil, entries)
	entries.loseUnknown(usagePointer, u.Unknown, taken...)
	return out
}

// isNothing reports whether all counts of a record are zero and it says nothing else.
func isNothing(u *openaiapi.CompletionUsage) bool {
	return u.PromptTokens == 0 && u.CompletionTokens == 0 && u.TotalTokens == 0 &&
		u.PromptTokensDetails == nil &&
		u.CompletionTokensDetails == nil && u.Unknown == nil
}

// mostTokens is above any token count. Larger values are not counts, and their sums would overflow.
const mostTokens = 500_000_000

// counted returns the counts. It reports an impossible count and replaces it by the nearest
// possible one. A detail is at most the sum that it belongs to, except reasoning, which some
// servers count separately.
func counted(u *openaiapi.CompletionUsage, entries *reporter) *openaiapi.CompletionUsage {
	out := *u
	c := countChecker{entries}
	out.PromptTokens = *c.within(&u.PromptTokens, mostTokens, "/prompt_tokens")
	out.CompletionTokens = *c.within(&u.CompletionTokens, mostTokens, "/completion_tokens")
	if u.PromptTokensDetails != nil {
		if apart := cachedApart(&out); apart > 0 {
			out.PromptTokens += apart
			entries.add(report.Approximated, usagePointer+"/prompt_tokens",
				"increased by the cached tokens, which the total includes separately")
		}
		const at = "/prompt_tokens_details/"
		d, most := *u.PromptTokensDetails, out.PromptTokens
		d.CachedTokens = c.within(d.CachedTokens, most, at+"cached_tokens")
		d.TextTokens = c.within(d.TextTokens, most, at+"text_tokens")
		d.ImageTokens = c.within(d.ImageTokens, most, at+"image_tokens")
		d.AudioTokens = c.within(d.AudioTokens, most, at+"audio_tokens")
		out.PromptTokensDetails = &d
	}
	if u.CompletionTokensDetails != nil {
		const at = "/completion_tokens_details/"
		d, most := *u.CompletionTokensDetails, out.CompletionTokens
		d.ReasoningTokens = c.within(d.ReasoningTokens, mostTokens, at+"reasoning_tokens")
		d.TextTokens = c.within(d.TextTokens, most, at+"text_tokens")
		d.AudioTokens = c.within(d.AudioTokens, most, at+"audio_tokens")
		out.CompletionTokensDetails = &d
	}
	return &out
}

// cachedApart returns the cached tokens of a server that does not include them in the prompt
// tokens, as the total shows. Otherwise it returns 0.
func cachedApart(u *openaiapi.CompletionUsage) int {
	cached := jsonx.Deref(u.PromptTokensDetails.CachedTokens)
	isApart := cached > u.PromptTokens && cached <= mostTokens &&
		u.PromptTokens+u.CompletionTokens+cached == u.TotalTokens
	if !isApart {
		return 0
	}
	return cached
}

// countChecker reports values that are not counts.
type countChecker struct{ report *reporter }

// within returns a count, limited to the range from zero to most.
func (c *countChecker) within(count *int, most int, at string) *int {
	if count == nil || *count >= 0 && *count <= most {
		return count
	}
	c.report.add(report.Approximated, usagePointer+at,
		"replaced by the nearest possible count")
	return new(min(max(*count, 0), most))
}

// isExclusive reports whether completion_tokens excludes reasoning, as in Google's own endpoint and
// some others.
func isExclusive(u *openaiapi.CompletionUsage, thoughts int) bool {
	return u.PromptTokens+u.CompletionTokens != u.TotalTokens &&
		u.PromptTokens+u.CompletionTokens+thoughts == u.TotalTokens ||
		thoughts > u.CompletionTokens
}

// modalities lists the counts that are present.
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
			out = append(out,
				geminiapi.ModalityTokenCount{Modality: &m.modality, TokenCount: m.count})
		}
	}
	return out
}

// reportUsage reports the counts that Gemini does not have, and a total that is not the sum.
func reportUsage(u *openaiapi.CompletionUsage, total int, entries *reporter) {
	if u.TotalTokens != total {
		entries.add(report.Approximated, usagePointer+"/total_tokens",
			"replaced in totalTokenCount by the sum of the counts")
	}
	if d := u.PromptTokensDetails; d != nil {
		entries.lose(usagePointer+"/prompt_tokens_details/cache_write_tokens",
			d.CacheWriteTokens != nil)
	}
	if d := u.CompletionTokensDetails; d != nil {
		entries.lose(usagePointer+"/completion_tokens_details/accepted_prediction_tokens",
			d.AcceptedPredictionTokens != nil)
		entries.lose(usagePointer+"/completion_tokens_details/rejected_prediction_tokens",
			d.RejectedPredictionTokens != nil)
	}
	entries.lose(usagePointer+"/extra_properties", u.ExtraProperties != nil)
}

// loseDetails reports unknown details, except counts that were used.
func loseDetails(u *openaiapi.CompletionUsage, hasVideo, hasImages bool, report *reporter) {
	var video, images []string
	if hasVideo {
		video = []string{memberVideo}
	}
	if hasImages {
		images = []string{memberImage}
	}
	report.loseUnknown(usagePointer+"/prompt_tokens_details",
		jsonx.Deref(u.PromptTokensDetails).Unknown, video...)
	report.loseUnknown(usagePointer+"/completion_tokens_details",
		jsonx.Deref(u.CompletionTokensDetails).Unknown, images...)
}
