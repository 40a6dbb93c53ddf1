// Package callid makes call ids that the Messages API accepts, from letters, digits, underscores
// and dashes. It also recovers Gemini's own ids from them.
package callid

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

const (
	// made is the prefix of the id of a call that Gemini sent without one.
	made = "toolu_gemini_"
	// encoded is the prefix of an id that encodes a Gemini id with other characters. base64url
	// follows.
	encoded = "toolu_x_"
)

// Made returns an id for a call that has none, from its position. The response id makes ids unique
// within a conversation.
func Made(responseID string, candidate, part int) string {
	id := made
	if responseID != "" {
		id += Of(responseID) + "_"
	}
	return id + strconv.Itoa(candidate) + "_" + strconv.Itoa(part)
}

// Of returns the call id for Gemini's id. [Gemini] is the inverse. Nearly all ids stay unchanged.
func Of(geminiID string) string {
	if isPlain(geminiID) {
		return geminiID
	}
	return encoded + base64.RawURLEncoding.EncodeToString([]byte(geminiID))
}

// isPlain reports whether an id is valid in the Messages API and does not look like one of this
// package.
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

// Gemini returns Gemini's id of a call, or "" if Gemini sent none. It removes a token after the id.
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
	return id // made by another program
}

// WithoutToken returns an id without the signatures that it may carry.
func WithoutToken(id string) string {
	bare, _, _ := envelope.CutFromID(id)
	return bare
}
