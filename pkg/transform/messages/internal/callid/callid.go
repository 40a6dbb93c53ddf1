<<<<<<< HEAD
// Package callid makes ids of calls as the Messages API wants them, of letters, digits, underscores and dashes, and
// finds Gemini's own ids in them again.
=======
// Package callid makes the ids of tool calls in the Messages API, which have letters, digits, underscores and dashes
// only, and gives back what Gemini sent.
>>>>>>> a359709 (Convert Gemini's answers and streams to the Messages API)
package callid

import (
	"encoding/base64"
	"strconv"
	"strings"
<<<<<<< HEAD

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

const (
	// made is how the id of a call begins that Gemini has sent without one.
	made = "toolu_gemini_"
	// encoded is how an id begins that stands for one of Gemini's with other characters: base64url follows.
	encoded = "toolu_x_"
)

// Made returns the id of a call that has none, by its position. Ids of the response keep those of a conversation
// apart.
func Made(responseID string, candidate, part int) string {
	id := made
	if responseID != "" {
		id += Of(responseID) + "_"
	}
	return id + strconv.Itoa(candidate) + "_" + strconv.Itoa(part)
}

// Of returns the id of a call by Gemini's, which [Gemini] returns again. Nearly all are ids as they are.
func Of(geminiID string) string {
	if isPlain(geminiID) {
		return geminiID
	}
	return encoded + base64.RawURLEncoding.EncodeToString([]byte(geminiID))
}

// isPlain reports whether an id is one for the Messages API too, and not like one that this package makes.
func isPlain(id string) bool {
	if id == "" || strings.HasPrefix(id, made) || strings.HasPrefix(id, encoded) || strings.Contains(id, envelope.Prefix) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !isLetter && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// Gemini returns the id by which Gemini knows a call, "" for a call that it has sent without one. A token behind the
// id is cut off.
func Gemini(id string) string {
	id = WithoutToken(id)
	if strings.HasPrefix(id, made) {
		return ""
	}
	data, found := strings.CutPrefix(id, encoded)
	if !found {
		return id
	}
	if decoded, err := base64.RawURLEncoding.Strict().DecodeString(data); err == nil && !isPlain(string(decoded)) && len(decoded) > 0 {
		return string(decoded)
	}
	return id // which another has made
}

// WithoutToken returns an id without the signatures that it may carry.
func WithoutToken(id string) string {
	bare, _ := envelope.CutFromID(id)
	return bare
=======
)

// The beginnings of ids.
const (
	// made begins the id of a call that Gemini sent none for.
	made = "toolu_gemini_"
	// encoded begins the id of a call whose own id has other characters, in base64url.
	encoded = "toolu_b64_"
)

// Made returns an id for a call that Gemini sent none for, from the id of the response, "" for none, and the position
// of the part in its content.
func Made(responseID string, part int) string {
	if responseID != "" {
		responseID = Safe(responseID) + "_"
	}
	return made + responseID + strconv.Itoa(part)
}

// FromGemini returns the id for a call with an id of Gemini's: that id itself where its characters allow it, and else
// one that [ToGemini] knows.
func FromGemini(id string) string {
	if IsSafe(id) && !strings.HasPrefix(id, made) && !strings.HasPrefix(id, encoded) {
		return id
	}
	return encoded + base64.RawURLEncoding.EncodeToString([]byte(id))
}

// ToGemini returns the id that Gemini sent for a call with this id, "" where it sent none. An id of somebody else's
// is returned as it is.
func ToGemini(id string) string {
	if strings.HasPrefix(id, made) {
		return ""
	}
	text, ok := strings.CutPrefix(id, encoded)
	if !ok {
		return id
	}
	decoded, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return id
	}
	return string(decoded)
}

// IsSafe reports whether a text may be an id: some letters, digits, underscores and dashes.
func IsSafe(id string) bool {
	for i := range len(id) {
		if !isSafe(id[i]) {
			return false
		}
	}
	return id != ""
}

// Safe returns a text with "_" in place of each byte that an id may not have.
func Safe(text string) string {
	if IsSafe(text) {
		return text
	}
	out := []byte(text)
	for i, c := range out {
		if !isSafe(c) {
			out[i] = '_'
		}
	}
	return string(out)
}

func isSafe(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
>>>>>>> a359709 (Convert Gemini's answers and streams to the Messages API)
}
