package openai

import (
	"strings"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// StripSignature returns the id of a tool call without the thought signature that [WithSignaturesInIDs]
// put into it. Other ids stay as they are. It is meant for sending a conversation to another provider:
// many take only short ids.
func StripSignature(id string) string { return callid.WithoutSignature(id) }

// carries reports whether the id of a call carries its signature.
func (o *options) carries(b *normalize.Block) bool {
	return o.carriesIn(b.ToolCall.ID)
}

// carriesIn reports whether an id, or for "" one that is made, carries the signature of its call.
func (o *options) carriesIn(id string) bool {
	return o.signedIDs && !strings.Contains(id, callid.SignatureMark)
}
