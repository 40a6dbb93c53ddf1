package anthropic

// The quick checks, and the checks that they must agree with.
var (
	IsValidMessage = isValidMessage
	IsValidEvent   = isValidStreamEvent
	ByValidator    = func(v any) error { return validator().Struct(v) }
)
