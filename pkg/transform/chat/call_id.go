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
// [WithSignaturesInIDs] put into it. Other ids stay as they are. It is meant for sending a
// conversation to another provider: many take only short ids.
func StripSignature(id string) string { return callid.WithoutSignature(id) }

// SignedID returns the id of a tool call that carries its signature, as [WithSignaturesInIDs] makes
// it. It has letters, digits, _ and - where id has no others, and is by a third longer than both.
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

// carries reports whether the id of a call carries its signature. A later piece of a call, which
// has no name, comes when the id is sent.
func (o *options) carries(call *geminiapi.FunctionCall) bool {
	return o.signedIDs && jsonx.Deref(call.Name) != "" &&
		!strings.Contains(jsonx.Deref(call.ID), callid.SignatureMark)
}

// callIDs are the ids of the calls of one message. The zero value is ready.
type callIDs struct {
	seen uniqueid.Set
	// renamed are the positions of the calls whose own id an earlier call has. The message shows
	// another id of them.
	renamed []int
}

// take returns the id of a call, or another id if an earlier call has the first. It reports whether
// that is so.
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

// otherID returns an id for a call whose own id an earlier call has.
func (o *options) otherID(responseID string, candidate, part int) string {
	return o.madeID(madeCallID(responseID, candidate, part), responseID, candidate, part)
}

const detailIDTaken = "a call before it has the id; this one has another"
