package interactions

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// idPrefix begins the ids of Google's interactions.
const idPrefix = "v1_"

// The tags of the fields in an id, which is a protocol buffer: the id of the first response of a
// conversation, and the id of this response. Both are strings.
const (
	tagFirst    = 0x0a
	tagResponse = 0x12
)

// NewID returns an id in the form of Google's ids, from the id of the first response of a
// conversation and the id of this response. Google's servers know only the ids that they made.
func NewID(first, response string) string {
	var room, textRoom [128]byte // enough for Google's ids
	message := binary.AppendUvarint(append(room[:0], tagFirst), uint64(len(first)))
	message = append(append(message, first...), tagResponse)
	message = binary.AppendUvarint(message, uint64(len(response)))
	message = append(message, response...)
	return string(base64.RawURLEncoding.AppendEncode(append(textRoom[:0], idPrefix...), message))
}

// ResponseID returns the responseId of generateContent that is part of an interaction's id. ok is
// false if the id does not have the form of Google's ids. Ids are opaque by Google's
// documentation; all 22 recorded ones have this form (gemini-interactions D).
func ResponseID(id string) (response string, ok bool) {
	encoded, ok := strings.CutPrefix(id, idPrefix)
	if !ok {
		return "", false
	}
	var room [128]byte // enough for Google's ids
	message, err := base64.RawURLEncoding.AppendDecode(room[:0], []byte(encoded))
	if err != nil {
		return "", false
	}
	_, rest, ok := cutField(message, tagFirst)
	if !ok {
		return "", false
	}
	text, rest, ok := cutField(rest, tagResponse)
	if !ok || len(rest) > 0 || len(text) == 0 {
		return "", false
	}
	return string(text), true
}

// cutField returns the text of the first field of a message, and what follows it.
func cutField(message []byte, tag byte) (text, rest []byte, ok bool) {
	if len(message) < 2 || message[0] != tag {
		return nil, nil, false
	}
	length, n := binary.Uvarint(message[1:])
	rest = message[1+max(n, 0):]
	if n <= 0 || length > uint64(len(rest)) {
		return nil, nil, false
	}
	return rest[:length], rest[length:], true
}
