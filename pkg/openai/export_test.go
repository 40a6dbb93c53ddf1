package openai

// The quick checks, and the checks that they must agree with.
var (
	IsValidResponse = isValidCreateChatCompletionResponse
	IsValidChunk    = isValidCreateChatCompletionStreamResponse
	ByValidator     = func(v any) error { return validator().Struct(v) }
)
