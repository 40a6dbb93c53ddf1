package signature

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// CallIDs are the ids of the calls that a stream has begun last, by choice. A signature may arrive
// after the id of its call. Clients that drop extensions can send it back only if the id refers to
// it.
type CallIDs map[int]string

// Carry makes ids carry the signatures of a chunk's calls too. It removes signatures from the
// extensions if only ids carry them.
func (ids CallIDs) Carry(c *Carrying, choices []openaiapi.ChunkChoice) {
	if !c.ByID {
		return
	}
	for i := range choices {
		calls := choices[i].Delta.ToolCalls
		for j := range calls {
			ids.carryCall(c, choices[i].Index, &calls[j])
		}
	}
}

func (ids CallIDs) carryCall(c *Carrying, choice int, call *openaiapi.ToolCallChunk) {
	signature := jsonx.Deref(Of(call.ExtraContent))
	if call.ID != nil {
		// it arrived with a later piece of the call, in the same chunk
		if signature != "" && !c.carries(*call.ID) {
			call.ID = new(c.signedID(*call.ID, signature))
		}
		ids[choice] = *call.ID
	}
	if signature == "" {
		return
	}
	isCarried := call.ID != nil && c.carries(*call.ID) ||
		call.ID == nil && c.Memory.KeepLate(ids[choice], signature)
	if isCarried && !c.ByExtension {
		call.ExtraContent = nil
	}
}

// carries reports whether an id contains a signature or the name of one.
func (c *Carrying) carries(id string) bool {
	_, _, isNamed := c.Memory.Find(id)
	return isNamed || chat.StripSignature(id) != id
}
