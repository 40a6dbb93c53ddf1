package messages

import (
	"strconv"

	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
)

// safeCallID returns an id with the characters that the Messages API allows, from which Gemini's own can be had again.
func (e *encoder) safeCallID(id string, isMade bool, part int) string {
	if !isMade {
		return callid.FromGemini(id)
	}
	if e.keepsMadeIDs && e.toolCallID == nil {
		return callid.FromGemini(id)
	}
	if e.toolCallID != nil {
		if made := e.toolCallID(e.responseID, part); made != "" {
			return callid.FromGemini(made)
		}
	}
	return callid.Made(e.responseID, part)
}

// unique returns the id, or where a call has it one made of it.
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
