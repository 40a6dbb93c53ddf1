package messages

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
)

// safeCallID returns an id with characters that the Messages API allows. Gemini's own id can be
// recovered from it.
func (e *encoder) safeCallID(id string, isMade bool, part int) string {
	if !isMade {
		return callid.Of(id)
	}
	if e.keepsMadeIDs && e.toolCallID == nil {
		return callid.Of(id)
	}
	if e.toolCallID != nil {
		if made := e.toolCallID(e.responseID, e.candidate, part); made != "" {
			return callid.Of(made)
		}
	}
	return callid.Made(e.responseID, 0, part)
}

// unique returns the id, or a variant of it if an earlier call has it.
func (e *encoder) unique(id string) string {
	if e.taken == nil {
		e.taken = map[string]bool{}
	}
	out := id
	for n := len(e.taken); e.taken[out]; n++ {
		out = id + "-" + strconv.Itoa(n)
	}
	e.taken[out] = true
	return out
}

// safe replaces each character that is not allowed in an id by "_".
func safe(text string) string {
	return strings.Map(func(r rune) rune {
		isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if isLetter || '0' <= r && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, text)
}
