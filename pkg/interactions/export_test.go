package interactions

// The quick checks, and the checks that they must agree with.
var (
	IsValidInteraction = isValidInteraction
	IsValidEvent       = isValidStreamEvent
	ByValidator        = func(v any) error { return validator().Struct(v) }
)
