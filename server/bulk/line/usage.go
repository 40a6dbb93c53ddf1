package line

import "github.com/gemwire/gemwire/pkg/normalize"

// Usage has token counts and their cost. The zero value means no tokens and no cost.
type Usage struct {
	// InputTokens is the number of all input tokens. It includes CachedTokens.
	InputTokens  int64 `json:"input_tokens"`
	CachedTokens int64 `json:"cached_tokens,omitzero"`
	// OutputTokens is the number of all output tokens. It includes ThinkingTokens.
	OutputTokens   int64 `json:"output_tokens"`
	ThinkingTokens int64 `json:"thinking_tokens,omitzero"`
	// Cost is in units of Currency, such as "USD". It does not include Unpriced calls, whose price
	// is unknown.
	Cost     float64 `json:"cost,omitzero"`
	Currency string  `json:"currency,omitzero"`
	Unpriced int64   `json:"unpriced,omitzero"`
}

// UsageOf returns token counts without their cost.
func UsageOf(counts normalize.Usage) Usage {
	return Usage{
		InputTokens: int64(counts.InputTokens), CachedTokens: int64(counts.CachedTokens),
		OutputTokens:   int64(counts.OutputTokens + counts.ThinkingTokens),
		ThinkingTokens: int64(counts.ThinkingTokens),
	}
}

// Add adds another usage. The first currency stays.
func (u *Usage) Add(other Usage) {
	u.InputTokens += other.InputTokens
	u.CachedTokens += other.CachedTokens
	u.OutputTokens += other.OutputTokens
	u.ThinkingTokens += other.ThinkingTokens
	u.Cost += other.Cost
	u.Unpriced += other.Unpriced
	if u.Currency == "" {
		u.Currency = other.Currency
	}
}
