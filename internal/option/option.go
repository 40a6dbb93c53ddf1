// Package option applies functional options.
package option

// Apply applies options to what they change, in their order. A nil option is ignored, so that a
// caller can choose one by a condition.
func Apply[T any, F ~func(*T)](to *T, opts []F) {
	for _, opt := range opts {
		if opt != nil {
			opt(to)
		}
	}
}

// New returns the choices of options, which change the zero value in their order. Without options
// nothing is allocated.
func New[T any, F ~func(*T)](opts []F) T {
	if len(opts) == 0 {
		var none T
		return none
	}
	out := new(T)
	Apply(out, opts)
	return *out
}
