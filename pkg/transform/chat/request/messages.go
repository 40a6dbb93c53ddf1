package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// setMessages converts the messages into contents and the system instruction.
func (c *converter) setMessages() error {
	c.history = history{Conversation: conversation.New(&c.Request, "/messages", len(c.in.Messages)),
		in: c.in}
	c.history.IDMember = "/id"
	for i := range c.in.Messages {
		if err := c.history.message(&c.in.Messages[i], i); err != nil {
			return err
		}
	}
	return c.history.end(c.trailing)
}

// history collects the contents of the messages.
type history struct {
	conversation.Conversation
	in *openaiapi.CreateChatCompletionRequest
	// noExtension is the extension of a message without one.
	noExtension openaiapi.GoogleExtraContent
}

// end completes the conversation and puts it into the request.
func (b *history) end(policy TrailingTurnPolicy) error {
	isAnswer := func(index int) bool { return b.in.Messages[index].Role == openaiapi.RoleAssistant }
	if err := b.End(conversation.TrailingTurnPolicy(policy), isAnswer); err != nil {
		return err
	}
	b.Sign("/extra_content/google/thought_signature")
	b.Finish()
	return nil
}

// message converts the message at a position of the list.
func (b *history) message(m *openaiapi.ChatMessage, at int) error {
	b.loseMessageMembers(m, at)
	switch m.Role {
	case openaiapi.RoleSystem, openaiapi.RoleDeveloper:
		return b.instruct(m, at)
	case openaiapi.RoleUser:
		return b.ask(m, at)
	case openaiapi.RoleAssistant:
		return b.answer(m, at)
	case openaiapi.RoleTool, openaiapi.RoleFunction:
		return b.result(m, at)
	default:
		return &refusal.Error{Pointer: b.At(at).Pointer("/role"),
			Problem: "must be system, developer, user, assistant, tool or function"}
	}
}

// instruct adds a system message to the instruction. Gemini has only one.
func (b *history) instruct(m *openaiapi.ChatMessage, at int) error {
	b.extension(m.ExtraContent, b.At(at), inMessage)
	texts, err := b.content(m, at)
	if err != nil {
		return err
	}
	if len(texts) == 0 {
		b.reportEmpty(at)
	}
	b.Instruct(texts, b.At(at))
	return nil
}

func (b *history) ask(m *openaiapi.ChatMessage, at int) error {
	b.extension(m.ExtraContent, b.At(at), inMessage)
	if m.Content.IsZero() {
		return conversation.MissingContent(b.At(at))
	}
	parts, err := b.content(m, at)
	if err == nil && len(parts) == 0 {
		parts, err = b.Silence(b.At(at), isEmpty(m))
	}
	if err != nil {
		return err
	}
	return b.add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at})
}

const detailEmpty = "omitted, because it is empty"

// reportEmpty reports a message without content for a part of a turn.
func (b *history) reportEmpty(at int) { b.LeaveOut(b.At(at), isEmpty(&b.in.Messages[at])) }

// add adds a turn to the conversation. A turn without parts is reported and omitted.
func (b *history) add(t *conversation.Turn) error {
	if len(t.Parts) == 0 {
		b.reportEmpty(t.Index)
		return nil
	}
	return b.Add(t)
}

// isEmpty reports whether a message's content consists of empty texts only. A user message then has
// at least one.
func isEmpty(m *openaiapi.ChatMessage) bool {
	if list, isList := m.Content.AsValue(); isList && m.Role == openaiapi.RoleUser {
		isTextless := func(p openaiapi.ContentPart) bool { return p.Text == nil }
		if len(list) == 0 || slices.ContainsFunc(list, isTextless) {
			return false
		}
	}
	text, ok := plainText(m)
	return ok && text == ""
}
