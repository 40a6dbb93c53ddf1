package leaftest

// Pair returns two values that [Fill] has filled and that share no content.
func Pair[T any]() (first, second *T) {
	var two struct{ First, Second T }
	Fill(&two)
	return &two.First, &two.Second
}
