package reverse

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// These are details of OpenRouter that OpenAI does not have.
const (
	memberVideo = "video_tokens"
	memberImage = "image_tokens"
)

const (
	memberCacheMiss = "prompt_cache_miss_tokens"
	memberThoughts  = "reasoning_tokens"
	memberInput     = "input_tokens"
	memberOutput    = "output_tokens"
)

// cacheMembers lists the members with cached tokens of servers that do not use the details:
// DeepSeek; Moonshot and Together; Mistral; and servers that pass on Anthropic's counts. It is
// never written to.
var cacheMembers = []string{"prompt_cache_hit_tokens", "cached_tokens", "num_cached_tokens",
	"cache_read_input_tokens"}

// withForeignCounts returns the counts completed with counts from server-specific members. OpenAI's
// own members take precedence. taken lists the members whose values the counts show.
func withForeignCounts(u *openaiapi.CompletionUsage) (out *openaiapi.CompletionUsage,
	taken []string) {
	if u.Unknown == nil {
		return u, nil
	}
	out = new(*u)
	taken = append(taken, takeSum(&out.PromptTokens, u.Unknown, memberInput)...)
	taken = append(taken, takeSum(&out.CompletionTokens, u.Unknown, memberOutput)...)
	taken = append(taken, takeCached(out)...)
	taken = append(taken, takeThoughts(out)...)
	cached := jsonx.Deref(out.PromptTokensDetails).CachedTokens
	if miss := countIn(u.Unknown, memberCacheMiss, mostTokens); miss != nil &&
		*miss == out.PromptTokens-jsonx.Deref(cached) {
		taken = append(taken, memberCacheMiss)
	}
	return out, taken
}

// takeSum sets the total of one side if it is missing. Some servers name it as OpenAI's Responses
// API does.
func takeSum(sum *int, unknown jsontext.Value, member string) (taken []string) {
	count := countIn(unknown, member, mostTokens)
	if count == nil {
		return nil
	}
	if *sum == 0 {
		*sum = *count
	}
	if *sum == *count {
		taken = append(taken, member)
	}
	return taken
}

// takeCached sets the cached tokens, which are part of the prompt tokens.
func takeCached(u *openaiapi.CompletionUsage) (taken []string) {
	details := jsonx.Deref(u.PromptTokensDetails)
	for _, name := range cacheMembers {
		count := countIn(u.Unknown, name, u.PromptTokens)
		if count == nil {
			continue
		}
		if details.CachedTokens == nil {
			details.CachedTokens = count
			u.PromptTokensDetails = &details
		}
		if *details.CachedTokens == *count {
			taken = append(taken, name)
		}
	}
	return taken
}

// takeThoughts sets the reasoning tokens from the members of Perplexity and SGLang.
func takeThoughts(u *openaiapi.CompletionUsage) (taken []string) {
	details, count := jsonx.Deref(u.CompletionTokensDetails),
		countIn(u.Unknown, memberThoughts, mostTokens)
	if count == nil {
		return nil
	}
	if details.ReasoningTokens == nil {
		details.ReasoningTokens = count
		u.CompletionTokensDetails = &details
	}
	if *details.ReasoningTokens == *count {
		taken = append(taken, memberThoughts)
	}
	return taken
}

// countIn returns the count in a record's unknown member, or nil. It returns nil for a count below
// zero or above most.
func countIn(record jsontext.Value, name string, most int) *int {
	value := jsonx.Member(record, name)
	if value.Kind() != jsontext.KindNumber {
		return nil
	}
	var count int
	if json.Unmarshal(value, &count) != nil || count < 0 || count > most {
		return nil
	}
	return &count
}
