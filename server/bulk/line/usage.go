package line

// Usage counts tokens, and what they cost. The zero value is none.
type Usage struct {
	// InputTokens are all that were sent, with CachedTokens, which came out of a cache.
	InputTokens  int64 `json:"input_tokens"`
	CachedTokens int64 `json:"cached_tokens,omitzero"`
	// OutputTokens are all that were made, with ThinkingTokens, which are thoughts.
	OutputTokens   int64 `json:"output_tokens"`
	ThinkingTokens int64 `json:"thinking_tokens,omitzero"`
	// Cost is in units of Currency, such as "USD". It leaves out Unpriced calls, for which nobody
	// knows a price.
	Cost     float64 `json:"cost,omitzero"`
	Currency string  `json:"currency,omitzero"`
	Unpriced int64   `json:"unpriced,omitzero"`
}

// Add adds what another usage has. The currency is that of the first which has one.
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
