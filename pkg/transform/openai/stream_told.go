package openai

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/object"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// replace notes which members of earlier records the members of a record, which stands at a pointer
// of the chunk, replace.
func (n *streamNotes) replace(last *told.Last, chunk int, at string, record any) {
	last.Tell(told.Place{Chunk: chunk, Pointer: at}, record, func(before told.Place) {
		n.add(before.Chunk, transform.Approximated, before.Pointer, told.DetailReplaced)
	})
}

// replaceable returns what a chunk tells of the response in such a way that a later chunk replaces
// it. Without extensions only the refusal shows any of it.
func replaceable(wire *geminiapi.GenerateContentResponse, o options) *geminiapi.GenerateContentResponse {
	if !o.plain {
		return &geminiapi.GenerateContentResponse{
			PromptFeedback: wire.PromptFeedback, ModelStatus: wire.ModelStatus, Unknown: wire.Unknown,
		}
	}
	feedback := deref(wire.PromptFeedback)
	return &geminiapi.GenerateContentResponse{PromptFeedback: &geminiapi.PromptFeedback{
		BlockReason: feedback.BlockReason, BlockReasonMessage: feedback.BlockReasonMessage,
	}}
}

// encoded returns the JSON of a record of the wire.
func encoded(record any) jsontext.Value { return told.Encoded(record) }

func hasMember(of jsontext.Value, name string) bool {
	for n := range object.Members(of) {
		if n == name {
			return true
		}
	}
	return false
}
