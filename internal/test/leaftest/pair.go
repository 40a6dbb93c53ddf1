package leaftest

// Pair returns two values that are filled as by [Fill] and have no content in common.
func Pair[T any]() (first, second *T) {
	var two struct{ First, Second T }
	Fill(&two)
	return &two.First, &two.Second
}
