package normalize

import (
	"math"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Usage counts the tokens of a response. The zero value is a response that reported none.
//
// Google's accounting is total = prompt + candidates + thoughts + tool use. It held for each of
// 3,412 recorded counts on both backends. If the counts of a response do not add up that way, its
// candidates count is read as including the thoughts.
type Usage struct {
	// InputTokens counts the prompt, including what server-side tools added to it.
	InputTokens int `json:"input_tokens" validate:"gte=0"`
	// OutputTokens counts the answer without the thinking.
	OutputTokens int `json:"output_tokens" validate:"gte=0"`
	// ThinkingTokens counts the thinking.
	ThinkingTokens int `json:"thinking_tokens" validate:"gte=0"`
	// CachedTokens is the part of InputTokens that came from a cache, at most all of them.
	CachedTokens int `json:"cached_tokens" validate:"gte=0"`
	// ToolUseTokens is the part of InputTokens that server-side tools added.
	ToolUseTokens int `json:"tool_use_tokens,omitzero" validate:"gte=0"`
	// TotalTokens is the total as the wire reports it, 0 if it does not.
	TotalTokens int `json:"total_tokens" validate:"gte=0"`
	// Wire is the wire's record with its details by modality, nil if the response had none.
	Wire *geminiapi.UsageMetadata `json:"wire,omitzero" validate:"-"`
}

// NewUsage normalises the wire's counts. A nil record gives the zero Usage. A count below 0 is read
// as 0. A count above 32 bits, the API's limit, is read as the highest 32-bit number. Cached tokens
// are limited to the tokens of the prompt.
func NewUsage(m *geminiapi.UsageMetadata) Usage {
	if m == nil {
		return Usage{}
	}
	prompt := count(m.PromptTokenCount)
	candidates := count(m.CandidatesTokenCount)
	thoughts := count(m.ThoughtsTokenCount)
	toolUse := count(m.ToolUsePromptTokenCount)
	total := count(m.TotalTokenCount)

	output := max(candidates-thoughts, 0)
	if m.PromptTokenCount != nil && prompt+candidates+thoughts+toolUse == total {
		output = candidates
	}
	return Usage{
		InputTokens:    prompt + toolUse,
		OutputTokens:   output,
		ThinkingTokens: thoughts,
		CachedTokens:   min(count(m.CachedContentTokenCount), prompt+toolUse),
		ToolUseTokens:  toolUse,
		TotalTokens:    total,
		Wire:           m,
	}
}

// Plus returns the sum of two usages, for example of two steps of an agent. Its Wire is nil.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		InputTokens:    u.InputTokens + v.InputTokens,
		OutputTokens:   u.OutputTokens + v.OutputTokens,
		ThinkingTokens: u.ThinkingTokens + v.ThinkingTokens,
		CachedTokens:   u.CachedTokens + v.CachedTokens,
		ToolUseTokens:  u.ToolUseTokens + v.ToolUseTokens,
		TotalTokens:    u.TotalTokens + v.TotalTokens,
	}
}

func count(n *int) int {
	return min(max(jsonx.Deref(n), 0), math.MaxInt32)
}
