package openai

// The quick checks, and what they must agree with.
var (
	IsValidResponse = isValidCreateChatCompletionResponse
	IsValidChunk    = isValidCreateChatCompletionStreamResponse
	ByValidator     = func(v any) error { return validator().Struct(v) }
)
