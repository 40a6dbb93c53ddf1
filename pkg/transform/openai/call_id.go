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

const carrierMark = callid.SignatureMark

// carries reports whether the id of a call carries its signature.
func (o *options) carries(b *normalize.Block) bool {
	return o.signedIDs && !strings.Contains(b.ToolCall.ID, carrierMark)
}
