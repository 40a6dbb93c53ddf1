package signature

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// Carrying is how thought signatures of calls travel through clients of chat_completions. Whatever
// it is, all of them are read. It is safe for use by several goroutines.
type Carrying struct {
	// ByExtension puts them into extra_content.google, ByID into the id of the call.
	ByExtension, ByID bool
	// IDLength is how long an id may get.
	IDLength int
	// Memory has those that do not fit into an id.
	Memory *Memory
}

// SignID returns what puts the signature of a call into its id, nil where ids carry none.
func (c *Carrying) SignID() func(id, signature string) string {
	if !c.ByID {
		return nil
	}
	return c.signedID
}

// signedID returns the id of a call that carries its signature, or the name of it where it would be
// too long.
func (c *Carrying) signedID(id, signature string) string {
	if len(signature) < c.IDLength { // or it is not worth a try
		if signed := chat.SignedID(id, signature); len(signed) <= c.IDLength {
			return signed
		}
	}
	return c.Memory.Keep(id, signature)
}

// Fits reports whether an id is long enough for a signature.
func (c *Carrying) Fits(id, signature string) bool {
	return len(signature) < c.IDLength && len(chat.SignedID(id, signature)) <= c.IDLength
}

// Recall gives the calls of a conversation the signatures that are kept for their ids. One that
// came back by itself counts more. It returns which of them are lost.
func (c *Carrying) Recall(messages []openaiapi.ChatMessage) (lost report.Report) {
	for i := range messages {
		m := &messages[i]
		if m.ToolCallID != nil {
			if bare, _, isNamed := c.Memory.Find(*m.ToolCallID); isNamed {
				m.ToolCallID = &bare
			}
		}
		for j := range m.ToolCalls {
			if !c.recallCall(&m.ToolCalls[j]) {
				place := "/messages/" + strconv.Itoa(i) + "/tool_calls/" + strconv.Itoa(j) + "/id"
				lost.Add(report.Lost, place,
					"the thought signature that it is the name of is kept no more, or by another replica")
			}
		}
	}
	return lost
}

// recallCall gives a call the signature that is kept for its id. It reports false where that is
// forgotten.
func (c *Carrying) recallCall(call *openaiapi.ToolCall) bool {
	bare, signature, isNamed := c.Memory.Find(call.ID)
	call.ID = bare
	isBack := jsonx.Deref(Of(call.ExtraContent)) != ""
	if signature == "" || isBack {
		return isBack || !isNamed
	}
	if call.ExtraContent == nil {
		call.ExtraContent = &openaiapi.ExtraContent{}
	}
	if call.ExtraContent.Google == nil {
		call.ExtraContent.Google = &openaiapi.GoogleExtraContent{}
	}
	call.ExtraContent.Google.ThoughtSignature = &signature
	return true
}

// Of returns the signature of an extension, nil for none.
func Of(extra *openaiapi.ExtraContent) *string {
	switch {
	case extra == nil:
		return nil
	case extra.Google != nil && extra.Google.ThoughtSignature != nil:
		return extra.Google.ThoughtSignature
	case extra.Vertex != nil:
		return extra.Vertex.ThoughtSignature
	default:
		return nil
	}
}

// DropRepeated leaves the signatures out of the extensions of calls where ids alone are to carry
// them.
func (c *Carrying) DropRepeated(choices []openaiapi.Choice) {
	if c.ByExtension {
		return
	}
	for i := range choices {
		calls := choices[i].Message.ToolCalls
		for j := range calls {
			if c.carries(calls[j].ID) {
				calls[j].ExtraContent = nil
			}
		}
	}
}
