// Package callid makes ids of calls as the Messages API wants them, of letters, digits, underscores
// and dashes, and finds Gemini's own ids in them again.
package callid

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

const (
	// made is how the id of a call begins that Gemini has sent without one.
	made = "toolu_gemini_"
	// encoded is how an id begins that stands for one of Gemini's with other characters: base64url
	// follows.
	encoded = "toolu_x_"
)

// Made returns the id of a call that has none, by its position. Ids of the response keep those of a
// conversation apart.
func Made(responseID string, candidate, part int) string {
	id := made
	if responseID != "" {
		id += Of(responseID) + "_"
	}
	return id + strconv.Itoa(candidate) + "_" + strconv.Itoa(part)
}

// Of returns the id of a call by Gemini's, which [Gemini] returns again. Nearly all are ids as they
// are.
func Of(geminiID string) string {
	if isPlain(geminiID) {
		return geminiID
	}
	return encoded + base64.RawURLEncoding.EncodeToString([]byte(geminiID))
}

// isPlain reports whether an id is one for the Messages API too, and not like one that this package
// makes.
func isPlain(id string) bool {
	if id == "" || strings.HasPrefix(id, made) || strings.HasPrefix(id, encoded) ||
		strings.Contains(id, envelope.Prefix) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !isLetter && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// Gemini returns the id by which Gemini knows a call, "" for a call that it has sent without one. A
// token behind the id is cut off.
func Gemini(id string) string {
	id = WithoutToken(id)
	if strings.HasPrefix(id, made) {
		return ""
	}
	data, found := strings.CutPrefix(id, encoded)
	if !found {
		return id
	}
	if decoded, err := base64.RawURLEncoding.Strict().DecodeString(data); err == nil &&
		!isPlain(string(decoded)) && len(decoded) > 0 {
		return string(decoded)
	}
	return id // which another has made
}

// WithoutToken returns an id without the signatures that it may carry.
func WithoutToken(id string) string {
	bare, _, _ := envelope.CutFromID(id)
	return bare
}
