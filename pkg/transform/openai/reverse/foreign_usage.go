package reverse

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Details that OpenRouter counts besides OpenAI's.
const (
	memberVideo = "video_tokens"
	memberImage = "image_tokens"
)

const (
	memberCacheMiss = "prompt_cache_miss_tokens"
	memberThoughts  = "reasoning_tokens"
)

// cacheMembers are the counts of cached tokens of servers that have them beside the details: of DeepSeek's; of Moonshot's and
// Together's; and of those that pass on Anthropic's. It is never written to.
var cacheMembers = []string{"prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"}

// withForeignCounts returns the counts with the details that a server counts in members of its own. OpenAI's own details go
// before them. taken are the members that say nothing that the counts do not show.
func withForeignCounts(u *openaiapi.CompletionUsage) (out *openaiapi.CompletionUsage, taken []string) {
	if u.Unknown == nil {
		return u, nil
	}
	out = new(*u)
	taken = append(takeCached(out), takeThoughts(out)...)
	cached := optional.Value(out.PromptTokensDetails).CachedTokens
	if miss := countIn(u.Unknown, memberCacheMiss); miss != nil && *miss == u.PromptTokens-optional.Value(cached) {
		taken = append(taken, memberCacheMiss)
	}
	return out, taken
}

// takeCached sets the cached tokens, which are among those of the prompt.
func takeCached(u *openaiapi.CompletionUsage) (taken []string) {
	details := optional.Value(u.PromptTokensDetails)
	for _, name := range cacheMembers {
		count := countIn(u.Unknown, name)
		if count == nil || *count > u.PromptTokens {
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

// takeThoughts sets the tokens of reasoning, as Perplexity and SGLang count them.
func takeThoughts(u *openaiapi.CompletionUsage) (taken []string) {
	details, count := optional.Value(u.CompletionTokensDetails), countIn(u.Unknown, memberThoughts)
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

// countIn returns a count that a record has as a member that nobody describes, nil for none.
func countIn(record jsontext.Value, name string) *int {
	value := rawobject.Member(record, name)
	if value.Kind() != jsontext.KindNumber {
		return nil
	}
	var count int
	if json.Unmarshal(value, &count) != nil {
		return nil
	}
	return &count
}
