package normalize

// The quick check, and what it must agree with.
var (
	IsValid     = isValidResponse
	ByValidator = func(v any) error { return validator().Struct(v) }
)
