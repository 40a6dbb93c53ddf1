package message

import "strconv"

// Count returns a number with its noun, such as "1 token" and "2 tokens".
func Count[N ~int | ~int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}
