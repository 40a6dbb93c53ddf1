package gateway

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// callIDs are the ids of the calls that a stream has begun last, by the choice. A signature may come behind the id of its
// call, which clients that drop extensions cannot send back then, unless the id leads to it.
type callIDs map[int]string

// carry has the signatures of the calls in a chunk carried by ids too, and leaves out of the extensions what only ids are to
// carry.
func (ids callIDs) carry(s *signatureSettings, choices []openaiapi.ChunkChoice) {
	if s.mode == SignaturesInExtension {
		return
	}
	for i := range choices {
		calls := choices[i].Delta.ToolCalls
		for j := range calls {
			ids.carryCall(s, choices[i].Index, &calls[j])
		}
	}
}

func (ids callIDs) carryCall(s *signatureSettings, choice int, call *openaiapi.ToolCallChunk) {
	signature := optional.Value(signatureOf(call.ExtraContent))
	if call.ID != nil {
		if signature != "" && !s.carries(*call.ID) { // it came with a later piece of the call, in the same chunk
			call.ID = new(s.signedID(*call.ID, signature))
		}
		ids[choice] = *call.ID
	}
	if signature == "" {
		return
	}
	isCarried := call.ID != nil && s.carries(*call.ID) || call.ID == nil && s.memory.KeepLate(ids[choice], signature)
	if isCarried && s.mode == SignaturesInIDs {
		call.ExtraContent = nil
	}
}

// carries reports whether an id carries a signature, or has the name of one.
func (s *signatureSettings) carries(id string) bool {
	_, _, isNamed := s.memory.Find(id)
	return isNamed || toopenai.StripSignature(id) != id
}
