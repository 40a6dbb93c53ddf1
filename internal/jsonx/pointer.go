package jsonx

import "strings"

// limit is how many bytes of a pointer a message shows.
const limit = 200

// ShortenPointer cuts the middle out of a pointer that a hostile payload, or a deep schema, made
// long: where it begins and where it ends says most.
func ShortenPointer(pointer string) string {
	if len(pointer) <= limit {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:limit/2], "") + "..." +
		strings.ToValidUTF8(pointer[len(pointer)-limit/2:], "")
}
