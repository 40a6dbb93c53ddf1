package jsonx

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// MemberPointer returns the JSON pointer of a member, from the pointer of its object.
func MemberPointer(object, name string) string {
	return string(jsontext.Pointer(object).AppendToken(name))
}

// ElementPointer returns the JSON pointer of an element, from the pointer of its list.
func ElementPointer(list string, i int) string { return list + "/" + strconv.Itoa(i) }

// limit is the maximum length of a pointer in a message, in bytes.
const limit = 200

// ShortenPointer removes the middle of a pointer that is too long, for example because of a hostile
// payload or a deep schema. The beginning and the end of a pointer are its most useful parts.
func ShortenPointer(pointer string) string {
	if len(pointer) <= limit {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:limit/2], "") + "..." +
		strings.ToValidUTF8(pointer[len(pointer)-limit/2:], "")
}
