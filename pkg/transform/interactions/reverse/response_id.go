package reverse

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode"
)

// ResponseID returns the id of the response in the id of an interaction. Google makes the id of an
// interaction from v1_ and a message of protocol buffers in base64. Field 1 of the message is the id
// of the first response of the chain, and field 2 that of this response. An id of another form is
// returned as it is.
func ResponseID(id string) string {
	encoded, isGoogles := strings.CutPrefix(id, "v1_")
	if !isGoogles {
		return id
	}
	message, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return id
	}
	if response := textField(message, 2); response != "" {
		return response
	}
	return id
}

// textField returns the text in a field of a message that has only texts. It is "" if there is no
// such field, or if the message has anything else.
func textField(message []byte, number uint64) (out string) {
	const lengthDelimited = 2
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 || key&7 != lengthDelimited {
			return ""
		}
		size, m := binary.Uvarint(message[n:])
		if m <= 0 || size > uint64(len(message)-n-m) {
			return ""
		}
		text := string(message[n+m : n+m+int(size)])
		if message = message[n+m+int(size):]; key>>3 == number {
			out = text
		}
	}
	isOther := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) }
	if strings.ContainsFunc(out, isOther) {
		return ""
	}
	return out
}
