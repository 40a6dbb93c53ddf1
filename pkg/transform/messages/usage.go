package messages

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// usage converts the token counts. Tokens that server tools added belong to the input; cached
// tokens do not. Thinking belongs to the output. All members are set, because clients read them
// without a check.
func (e *encoder) usage(u *normalize.Usage) anthropicapi.Usage {
	cached := min(max(u.CachedTokens, 0), max(u.InputTokens, 0))
	out := anthropicapi.Usage{
		InputTokens:              new(max(u.InputTokens, 0) - cached),
		CacheCreationInputTokens: wiretype.Present(0),
		CacheReadInputTokens:     wiretype.Present(cached),
		CacheCreation:            wiretype.Present(anthropicapi.CacheCreation{}),
		OutputTokens:             max(u.OutputTokens, 0) + max(u.ThinkingTokens, 0),
		OutputTokensDetails: wiretype.Present(
			anthropicapi.OutputTokensDetails{ThinkingTokens: max(u.ThinkingTokens, 0)}),
		ServerToolUse: wiretype.Null[anthropicapi.ServerToolUsage](),
		ServiceTier:   serviceTier(u.Wire),
		InferenceGeo:  wiretype.Null[string](),
		Speed:         wiretype.Null[anthropicapi.Speed](),
	}
	if e.searches > 0 {
		out.ServerToolUse = wiretype.Present(
			anthropicapi.ServerToolUsage{WebSearchRequests: &e.searches, WebFetchRequests: new(0)})
	}
	return out
}

// serviceTier returns null if there is no tier, or if Anthropic does not have it.
func serviceTier(wire *geminiapi.UsageMetadata) wiretype.Nullable[anthropicapi.ServiceTier] {
	if wire != nil && wire.ServiceTier != nil {
		switch *wire.ServiceTier {
		case geminiapi.ServiceTierStandard:
			return wiretype.Present(anthropicapi.ServiceTierStandard)
		case geminiapi.ServiceTierPriority:
			return wiretype.Present(anthropicapi.ServiceTierPriority)
		}
	}
	return wiretype.Null[anthropicapi.ServiceTier]()
}

// reportUsage reports the counts that the message shows in another form, or not at all.
func reportUsage(entries *report.Report, u *normalize.Usage, out *anthropicapi.Usage) {
	if u.Wire == nil {
		if u.InputTokens+u.OutputTokens+u.ThinkingTokens == 0 {
			entries.Add(report.Added, answer.UsagePointer, "the response has no token counts")
		}
		return
	}
	w := u.Wire
	for _, n := range []struct {
		member string
		wire   *int
		taken  int
	}{
		{"/promptTokenCount", w.PromptTokenCount, u.InputTokens - u.ToolUseTokens},
		{"/thoughtsTokenCount", w.ThoughtsTokenCount, u.ThinkingTokens},
		{"/toolUsePromptTokenCount", w.ToolUsePromptTokenCount, u.ToolUseTokens},
	} {
		if n.wire != nil && *n.wire != n.taken {
			entries.Add(report.Approximated, answer.UsagePointer+n.member,
				"replaced by the nearest possible count")
		}
	}
	if w.CandidatesTokenCount != nil && *w.CandidatesTokenCount != u.OutputTokens {
		entries.Add(report.Approximated, answer.UsagePointer+"/candidatesTokenCount",
			"it is not a token count, or it includes the thoughts")
	}
	cached, _ := out.CacheReadInputTokens.Value()
	if w.CachedContentTokenCount != nil && *w.CachedContentTokenCount != cached {
		detail := "replaced by the nearest possible count"
		if *w.CachedContentTokenCount > cached {
			detail = "more than the count of the prompt, which is used instead"
		}
		entries.Add(report.Approximated, answer.UsagePointer+"/cachedContentTokenCount", detail)
	}
	if total := *out.InputTokens + cached + out.OutputTokens; w.TotalTokenCount != nil &&
		*w.TotalTokenCount != total {
		entries.Add(report.Approximated, answer.UsagePointer+"/totalTokenCount",
			"replaced by the sum of the counts")
	}
	if u.ToolUseTokens > 0 {
		entries.Add(report.Approximated, answer.UsagePointer+"/toolUsePromptTokenCount",
			"included in input_tokens")
	}
}
