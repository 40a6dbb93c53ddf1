package normalize

// The quick check, and the check that it must agree with.
var (
	IsValid     = isValidResponse
	ByValidator = func(v any) error { return validator().Struct(v) }
)
