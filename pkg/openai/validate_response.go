package openai

import (
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../tools/codecgen check .:openaiapi.CreateChatCompletionResponse,openaiapi.CreateChatCompletionStreamResponse ../../gen/geminiapi ../../gen/openaiapi

// ValidateResponse checks a completion against OpenAI's description: required members, known
// values, counts that add up, choices with unique indexes, calls if the finish reason says so, and
// annotations within the content. Completions that gemwire makes from Gemini answers always pass.
// Use it for completions from elsewhere, and in tests.
//
// The error lists all violations with their locations, as JSON pointers, and says for each what
// would be right. It never contains a value of the completion.
func ValidateResponse(r *openaiapi.CreateChatCompletionResponse) error {
	if r != nil && isValidCreateChatCompletionResponse(r) {
		return nil
	}
	return validator().Struct(r)
}

// ValidateChunk checks a chunk of a streamed completion against OpenAI's description, like
// [ValidateResponse].
func ValidateChunk(c *openaiapi.CreateChatCompletionStreamResponse) error {
	if c != nil && isValidCreateChatCompletionStreamResponse(c) {
		return nil
	}
	return validator().Struct(c)
}

var validator = sync.OnceValue(func() *structvalidator.Validator {
	return structvalidator.New(
		structvalidator.WithPrefix("openai"),
		structvalidator.WithRule(checkChoices),
		structvalidator.WithRule(checkChoice),
		structvalidator.WithRule(checkUsage),
		structvalidator.WithRule(checkMessage),
	)
})

func checkChoices(r *openaiapi.CreateChatCompletionResponse) (out []validation.Violation) {
	if len(r.Choices) == 0 {
		return []validation.Violation{{Pointer: "/choices", Rule: "required",
			Want: "must hold a choice"}}
	}
	if len(r.Choices) == 1 {
		return nil
	}
	taken := make(map[int]bool, len(r.Choices))
	for i := range r.Choices {
		index := r.Choices[i].Index
		if taken[index] {
			out = append(out,
				violation("/choices", i, "/index", "unique",
					"must differ from the index of any earlier choice"))
		}
		taken[index] = true
	}
	return out
}

func violation(list string, index int, member, rule, want string) validation.Violation {
	return validation.Violation{Pointer: list + "/" + strconv.Itoa(index) + member, Rule: rule,
		Want: want}
}

func checkChoice(c *openaiapi.Choice) []validation.Violation {
	if c.FinishReason != openaiapi.FinishReasonToolCalls || len(c.Message.ToolCalls) > 0 {
		return nil
	}
	return []validation.Violation{{Pointer: "/finish_reason", Rule: "tool_calls",
		Want: "must not be tool_calls, because there is no call"}}
}

func checkUsage(u *openaiapi.CompletionUsage) (out []validation.Violation) {
	if u.TotalTokens != u.PromptTokens+u.CompletionTokens {
		out = append(out,
			validation.Violation{Pointer: "/total_tokens", Rule: "sum",
				Want: "must be the sum of prompt_tokens and completion_tokens"})
	}
	if d := u.PromptTokensDetails; d != nil && jsonx.Deref(d.CachedTokens) > u.PromptTokens {
		out = append(out, validation.Violation{
			Pointer: "/prompt_tokens_details/cached_tokens", Rule: "within",
			Want: "must be at most prompt_tokens, which includes them",
		})
	}
	if d := u.CompletionTokensDetails; d != nil &&
		jsonx.Deref(d.ReasoningTokens) > u.CompletionTokens {
		out = append(out, validation.Violation{
			Pointer: "/completion_tokens_details/reasoning_tokens", Rule: "within",
			Want: "must be at most completion_tokens, which includes them",
		})
	}
	if d := u.CompletionTokensDetails; d != nil && jsonx.Deref(d.AudioTokens) > u.CompletionTokens {
		out = append(out, validation.Violation{
			Pointer: "/completion_tokens_details/audio_tokens", Rule: "within",
			Want: "must be at most completion_tokens, which includes them",
		})
	}
	return out
}

// checkMessage reads the text only if something refers to it.
func checkMessage(m *openaiapi.ResponseMessage) (out []validation.Violation) {
	if len(m.Annotations) == 0 {
		return nil
	}
	length := utf8.RuneCountInString(jsonx.Deref(m.Content))
	for i := range m.Annotations {
		if m.Annotations[i].URLCitation.EndIndex > length {
			out = append(out,
				violation("/annotations", i, "/url_citation/end_index", "within_content",
					"must be at most "+strconv.Itoa(length)+", the length of the content"))
		}
	}
	return out
}
