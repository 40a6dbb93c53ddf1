package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// usageOf converts the token counts so that input and output always add up to the total. Tokens
// that server tools added count for the input, thinking counts for the output. All members are set,
// even those that Gemini does not count.
func usageOf(u *normalize.Usage) *openaiapi.ResponseUsage {
	out := &openaiapi.ResponseUsage{
		InputTokens: openaianswer.AddTokens(u.InputTokens, 0),
		InputTokensDetails: openaiapi.ResponseInputTokens{CachedTokens: openaianswer.AddTokens(u.CachedTokens,
			0),
			CacheWriteTokens: new(0)},
		OutputTokens: openaianswer.AddTokens(u.OutputTokens, u.ThinkingTokens),
		OutputTokensDetails: openaiapi.ResponseOutputTokens{ReasoningTokens: openaianswer.AddTokens(u.ThinkingTokens,
			0)},
	}
	out.TotalTokens = openaianswer.AddTokens(out.InputTokens, out.OutputTokens)
	return out
}

// reportUsage reports the counts that the response shows in another form.
func reportUsage(entries *report.Report, u *normalize.Usage, out *openaiapi.ResponseUsage,
	isPlain bool) {
	if u.Wire != nil {
		openaianswer.ReportCounts(entries, u, out.TotalTokens, "input_tokens", isPlain)
	} else if out.TotalTokens == 0 {
		entries.Add(report.Added, answer.UsagePointer, "the response has no token counts")
	}
}

// tiers maps Gemini's service tiers to OpenAI's.
var tiers = map[geminiapi.ServiceTier]openaiapi.ResponseServiceTier{
	geminiapi.ServiceTierStandard: openaiapi.ResponseServiceTierDefault,
	geminiapi.ServiceTierFlex:     openaiapi.ResponseServiceTierFlex,
	geminiapi.ServiceTierPriority: openaiapi.ResponseServiceTierPriority,
}

// tierOf returns the service tier that answered. Vertex AI reports it as the type of traffic.
func tierOf(u *normalize.Usage) openaiapi.ResponseServiceTier {
	if u.Wire != nil && u.Wire.ServiceTier != nil {
		if tier, ok := tiers[*u.Wire.ServiceTier]; ok {
			return tier
		}
	}
	if u.Wire != nil && u.Wire.TrafficType != nil {
		switch *u.Wire.TrafficType {
		case geminiapi.TrafficTypeOnDemandFlex:
			return openaiapi.ResponseServiceTierFlex
		case geminiapi.TrafficTypeOnDemandPriority:
			return openaiapi.ResponseServiceTierPriority
		}
	}
	return openaiapi.ResponseServiceTierDefault
}
