package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/validation"
)

// tokenCount is a token count and the member that has it.
type tokenCount struct {
	name string
	of   func(*interactionsapi.Usage) *int
}

// tokenCounts are the counts of a Usage that grow during a stream. The list is never
// modified.
var tokenCounts = []tokenCount{
	{"total_tokens", func(u *interactionsapi.Usage) *int { return u.TotalTokens }},
	{"total_input_tokens", func(u *interactionsapi.Usage) *int { return u.TotalInputTokens }},
	{"total_cached_tokens", func(u *interactionsapi.Usage) *int { return u.TotalCachedTokens }},
	{"total_output_tokens", func(u *interactionsapi.Usage) *int { return u.TotalOutputTokens }},
	{"total_tool_use_tokens", func(u *interactionsapi.Usage) *int { return u.TotalToolUseTokens }},
	{"total_thought_tokens", func(u *interactionsapi.Usage) *int { return u.TotalThoughtTokens }},
}

// checkUsage checks the sum of the counts of a whole interaction. total_tokens is input, output,
// thoughts and use of tools together in all recorded answers; cached tokens are within the input.
func checkUsage(u *interactionsapi.Usage) []validation.Violation {
	var v violations
	isSplit := u.TotalInputTokens != nil || u.TotalOutputTokens != nil ||
		u.TotalThoughtTokens != nil || u.TotalToolUseTokens != nil
	sum := jsonx.Deref(u.TotalInputTokens) + jsonx.Deref(u.TotalOutputTokens) +
		jsonx.Deref(u.TotalThoughtTokens) + jsonx.Deref(u.TotalToolUseTokens)
	if isSplit && u.TotalTokens != nil && *u.TotalTokens != sum {
		v.report("/total_tokens", "sum", "must be "+strconv.Itoa(sum)+
			", the sum of input, output, thought and tool_use tokens")
	}
	if u.TotalInputTokens != nil && u.TotalCachedTokens != nil &&
		*u.TotalCachedTokens > *u.TotalInputTokens {
		v.report("/total_cached_tokens", "within",
			"must be at most total_input_tokens, which includes it")
	}
	return v
}
