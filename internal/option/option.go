// Package option applies functional options.
package option

// Apply applies options to what they change, in their order. A nil option is ignored, so that a caller can choose one by a
// condition.
func Apply[T any, F ~func(*T)](to *T, opts []F) {
	for _, opt := range opts {
		if opt != nil {
			opt(to)
		}
	}
}
