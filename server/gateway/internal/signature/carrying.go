package signature

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// Carrying selects how thought signatures of calls travel through clients of chat_completions. It
// reads signatures of all kinds. It is safe for concurrent use.
type Carrying struct {
	// ByExtension puts signatures into extra_content.google. ByID puts them into call ids.
	ByExtension, ByID bool
	// IDLength is the maximum length of an id.
	IDLength int
	// Memory holds the signatures that do not fit into an id.
	Memory *Memory
}

// SignID returns a function that puts a call's signature into its id. It is nil if ids carry none.
func (c *Carrying) SignID() func(id, signature string) string {
	if !c.ByID {
		return nil
	}
	return c.signedID
}

// signedID returns a call id with its signature, or with the signature's name if the id would be
// too long.
func (c *Carrying) signedID(id, signature string) string {
	if len(signature) < c.IDLength { // or it is not worth a try
		if signed := chat.SignedID(id, signature); len(signed) <= c.IDLength {
			return signed
		}
	}
	return c.Memory.Keep(id, signature)
}

// Fits reports whether an id with a signature is within the length limit.
func (c *Carrying) Fits(id, signature string) bool {
	return len(signature) < c.IDLength && len(chat.SignedID(id, signature)) <= c.IDLength
}

// Recall adds the remembered signatures to the calls of a conversation by their ids. A signature
// that the client sent back takes precedence. Recall returns the lost signatures.
func (c *Carrying) Recall(messages []openaiapi.ChatMessage) (lost report.Report) {
	var ids []string
	for i := range messages {
		for j := range messages[i].ToolCalls {
			if call := &messages[i].ToolCalls[j]; jsonx.Deref(Of(call.ExtraContent)) == "" &&
				chat.StripSignature(call.ID) == call.ID {
				ids = append(ids, call.ID)
			}
		}
	}
	c.Memory.Load(ids...)
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
					c.Memory.whyLost())
			}
		}
	}
	return lost
}

// recallCall adds the remembered signature of an id to a call. It reports false if the signature
// was forgotten.
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

// Of returns the signature of an extension, or nil.
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

// DropRepeated removes the signatures from the extensions of calls if only ids carry them.
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
