package openai

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// StripSignature returns the id of a tool call without the thought signature that [WithSignaturesInIDs]
// put into it. Other ids stay as they are. It is meant for sending a conversation to another provider:
// many take only short ids.
func StripSignature(id string) string { return callid.WithoutSignature(id) }

// SignedID returns the id of a tool call that carries its signature, as [WithSignaturesInIDs] makes it. It has letters,
// digits, _ and - where id has no others, and is by a third longer than both.
func SignedID(id, signature string) string { return callid.WithSignature(id, signature) }

// signedID returns the id of a call with a signature.
func (o *options) signedID(id, signature string) string {
	switch {
	case !o.signedIDs || signature == "":
		return id
	case o.carrier != nil:
		return o.carrier(id, signature)
	default:
		return SignedID(id, signature)
	}
}

// carries reports whether the id of a call carries its signature. A later piece of a call, which has no name,
// comes when the id is sent.
func (o *options) carries(call *geminiapi.FunctionCall) bool {
	return o.signedIDs && optional.Value(call.Name) != "" && !strings.Contains(optional.Value(call.ID), callid.SignatureMark)
}

// callIDs are the ids of the calls of one message. Clients match results by them, so no two calls have
// the same. The zero value is ready.
type callIDs struct {
	first  string
	others map[string]bool // nil for one call, as most messages have
}

// take returns the id of a call, or the other one where a call before it has the first. It reports
// whether that is so.
func (c *callIDs) take(id string, other func() string) (unique string, isTaken bool) {
	if isTaken = id != "" && id == c.first || c.others[id]; isTaken {
		id = other()
	}
	switch {
	case c.first == "":
		c.first = id
	case c.others == nil:
		c.others = map[string]bool{id: true}
	default:
		c.others[id] = true
	}
	return id, isTaken
}

// repeats reports whether a block is a call with an id of Gemini's that a call before it has.
func (c *callIDs) repeats(b *normalize.Block) bool {
	if b.ToolCall == nil || b.ToolCall.MadeID || b.ToolCall.ID == "" {
		return false
	}
	_, isTaken := c.take(b.ToolCall.ID, func() string { return b.ToolCall.ID })
	return isTaken
}

const detailIDTaken = "a call before it has the id; this one has another"
