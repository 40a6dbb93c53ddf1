package chat

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/uniqueid"
)

// StripSignature returns the id of a tool call without the thought signature that
// [WithSignaturesInIDs] put into it. Other ids stay unchanged. Use it to send a conversation to
// another provider, because many providers accept only short ids.
func StripSignature(id string) string { return callid.WithoutSignature(id) }

// SignedID returns the id of a tool call with its signature added, as [WithSignaturesInIDs] does.
// It adds only letters, digits, _ and -. The result is a third longer than both together.
func SignedID(id, signature string) string { return callid.WithSignature(id, signature) }

// signedID adds the signature to the id of a call if the options ask for it.
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

// carries reports whether the id of a call carries its signature. A later piece of a call, which
// has no name, comes after the id was sent.
func (o *options) carries(call *geminiapi.FunctionCall) bool {
	return o.signedIDs && jsonx.Deref(call.Name) != "" &&
		!strings.Contains(jsonx.Deref(call.ID), callid.SignatureMark)
}

// callIDs holds the ids of the calls of one message. The zero value is ready to use.
type callIDs struct {
	seen uniqueid.Set
	// renamed lists the positions of calls whose id an earlier call already has. The message shows
	// a different id for them.
	renamed []int
}

// take returns the id if no earlier call has it, else another id. isTaken reports the second case.
func (c *callIDs) take(id string, other func() string) (unique string, isTaken bool) {
	if c.seen.Add(id) {
		return id, false
	}
	made := other()
	unique = made
	for n := 2; !c.seen.Add(unique); n++ {
		unique = made + "-" + strconv.Itoa(n)
	}
	return unique, true
}

// otherID returns an id for a call whose own id an earlier call already has.
func (o *options) otherID(responseID string, candidate, part int) string {
	return o.madeID(madeCallID(responseID, candidate, part), responseID, candidate, part)
}

const detailIDTaken = "replaced by another id, because an earlier call has the same id"
