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

// carries reports whether the id of a call carries its signature. A later piece of a call, which has no name,
// comes when the id is sent.
func (o *options) carries(call *geminiapi.FunctionCall) bool {
	return o.signedIDs && optional.Value(call.Name) != "" && !strings.Contains(optional.Value(call.ID), callid.SignatureMark)
}
