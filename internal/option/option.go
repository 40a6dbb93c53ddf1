// Package option applies functional options to their settings.
package option

// Apply applies options to their settings, in order. It ignores a nil option, so that a caller can
// choose an option by a condition.
func Apply[T any, F ~func(*T)](to *T, opts []F) {
	for _, opt := range opts {
		if opt != nil {
			opt(to)
		}
	}
}

// New returns the settings that options make from the zero value, in order. Without options it
// allocates nothing.
func New[T any, F ~func(*T)](opts []F) T {
	if len(opts) == 0 {
		var none T
		return none
	}
	out := new(T)
	Apply(out, opts)
	return *out
}
