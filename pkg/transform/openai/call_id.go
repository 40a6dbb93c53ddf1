package openai

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
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
