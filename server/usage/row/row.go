// Package row has the numbers that package usage counts.
package row

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/server/money"
)

// Key says what the numbers of a [Row] count. A member is "" where a request has no such value.
type Key struct {
	// Day is the day in UTC, such as "2026-11-28".
	Day string `json:"day"`
	// Client is the name of the client key.
	Client string `json:"client,omitzero"`
	// Model is the model that answered, by its modelVersion. Models beyond the limit of a day are
	// counted together as [Other].
	Model string `json:"model,omitzero"`
	// Service is the upstream, such as "gemini". Tier is the service tier, such as "standard".
	Service string `json:"service,omitzero"`
	Tier    string `json:"tier,omitzero"`
	// Form is the API that the client spoke, such as "chat_completions".
	Form string `json:"form,omitzero"`
	// Currency is the currency of the cost. It is "" for requests without a cost.
	Currency string `json:"currency,omitzero"`
	// Unpriced is why the tokens have no price, or "".
	Unpriced string `json:"unpriced,omitzero"`
}

// Other is the model of rows beyond the limit of a day.
const Other = "other"

// Counts are the numbers of a [Row].
type Counts struct {
	// Requests are all requests. Failures are those that ended with an error.
	Requests int64 `json:"requests"`
	Failures int64 `json:"failures,omitzero"`
	// InputTokens include CachedTokens, ToolUseTokens, and InputAudioTokens and InputImageTokens.
	InputTokens      int64 `json:"input_tokens,omitzero"`
	CachedTokens     int64 `json:"cached_tokens,omitzero"`
	ToolUseTokens    int64 `json:"tool_use_tokens,omitzero"`
	InputAudioTokens int64 `json:"input_audio_tokens,omitzero"`
	InputImageTokens int64 `json:"input_image_tokens,omitzero"`
	// OutputTokens include OutputAudioTokens and OutputImageTokens, but not ThinkingTokens.
	OutputTokens      int64 `json:"output_tokens,omitzero"`
	OutputAudioTokens int64 `json:"output_audio_tokens,omitzero"`
	OutputImageTokens int64 `json:"output_image_tokens,omitzero"`
	ThinkingTokens    int64 `json:"thinking_tokens,omitzero"`
	// Estimated are the requests whose tokens are estimated, because the upstream reported none.
	Estimated int64 `json:"estimated,omitzero"`
	// UnpricedTokens are tokens without a price.
	UnpricedTokens int64 `json:"unpriced_tokens,omitzero"`
	// Cost is the cost in the row's currency.
	Cost money.Nano `json:"cost_nano,omitzero"`
	// Losses are the losses of conversions.
	Losses int64 `json:"losses,omitzero"`
}

// Tokens returns the number of all tokens.
func (c *Counts) Tokens() int64 { return c.InputTokens + c.OutputTokens + c.ThinkingTokens }

// Add adds other numbers.
func (c *Counts) Add(o *Counts) {
	c.Requests += o.Requests
	c.Failures += o.Failures
	c.InputTokens += o.InputTokens
	c.CachedTokens += o.CachedTokens
	c.ToolUseTokens += o.ToolUseTokens
	c.InputAudioTokens += o.InputAudioTokens
	c.InputImageTokens += o.InputImageTokens
	c.OutputTokens += o.OutputTokens
	c.OutputAudioTokens += o.OutputAudioTokens
	c.OutputImageTokens += o.OutputImageTokens
	c.ThinkingTokens += o.ThinkingTokens
	c.Estimated += o.Estimated
	c.UnpricedTokens += o.UnpricedTokens
	c.Cost += o.Cost
	c.Losses += o.Losses
}

// Row has the numbers of requests with the same key.
type Row struct {
	Key
	Counts
}

// Sum adds rows whose keys are the same after keep has removed what does not matter. Rows of
// different currencies stay apart if keep keeps the currency. The result is sorted by its keys.
func Sum(rows []Row, keep func(Key) Key) []Row {
	index := map[Key]int{}
	var out []Row
	for i := range rows {
		key := keep(rows[i].Key)
		at, isKnown := index[key]
		if !isKnown {
			at = len(out)
			index[key] = at
			out = append(out, Row{Key: key})
		}
		out[at].Add(&rows[i].Counts)
	}
	slices.SortFunc(out, func(a, b Row) int { return compare(&a.Key, &b.Key) })
	return out
}

func compare(a, b *Key) int {
	return cmp.Or(strings.Compare(a.Day, b.Day), strings.Compare(a.Client, b.Client),
		strings.Compare(a.Model, b.Model), strings.Compare(a.Service, b.Service),
		strings.Compare(a.Tier, b.Tier), strings.Compare(a.Form, b.Form),
		strings.Compare(a.Currency, b.Currency), strings.Compare(a.Unpriced, b.Unpriced))
}

// DayOf returns the day of a time in UTC, as in [Key].
func DayOf(at time.Time) string { return clock.DayOf(at) }

// Loss is a process that was killed. It may have lost what it counted in its last second, or since
// the store did not answer.
type Loss struct {
	// At is the last sign of life, at most ten seconds before the end.
	At time.Time `json:"at"`
	// UpTo is the largest number of requests that the process had counted and not yet written.
	UpTo int64 `json:"up_to"`
}

// DefaultDays is how many days are kept by default.
const DefaultDays = 400
