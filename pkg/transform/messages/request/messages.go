package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/go-json-experiment/json/jsontext"
)

// setMessages converts the system and the messages into the instruction and the contents.
func (c *converter) setMessages() error {
	c.history = history{Conversation: conversation.New(&c.Request, "/messages", len(c.in.Messages)),
		in: c.in}
	c.history.IDMember, c.history.InstructionsAt, c.history.IsCounted = "/id", "/system", c.counted
	c.history.lastUser = lastUser(c.in.Messages)
	c.instruct()
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
	in *anthropicapi.CreateMessageRequest
	// lastUser is the position of the user's last message, or -1.
	lastUser int
	// found are the names of tools that the conversation introduces, in addition to those that the
	// model knows from the start.
	found map[string]bool
	// added are the tools that system messages describe, each with its location.
	added []addedTool
}

// end completes the conversation and puts it into the request.
func (b *history) end(policy TrailingTurnPolicy) error {
	isAnswer := func(index int) bool { return b.in.Messages[index].Role == anthropicapi.RoleAssistant }
	if err := b.End(conversation.TrailingTurnPolicy(policy), isAnswer); err != nil {
		return err
	}
	b.Sign("")
	b.Finish()
	return nil
}

// message converts the message at a position of the list.
func (b *history) message(m *anthropicapi.InputMessage, index int) error {
	b.loseMessageMembers(m, index)
	switch m.Role {
	case anthropicapi.RoleUser:
		return b.ask(m, index)
	case anthropicapi.RoleAssistant:
		return b.answer(m, index)
	case anthropicapi.RoleSystem:
		return b.instructWithin(m, index)
	default:
		return &refusal.Error{Pointer: b.At(index).Pointer("/role"),
			Problem: "must be user, assistant or system"}
	}
}

// blocksOf returns the content of a message as blocks. A string means one text block.
func blocksOf(m *anthropicapi.InputMessage) []anthropicapi.ContentBlock {
	if text, ok := m.Content.AsString(); ok {
		return []anthropicapi.ContentBlock{{Type: anthropicapi.BlockTypeText, Text: new(text)}}
	}
	list, _ := m.Content.AsValue()
	return list
}

// blockLocation returns the location of a block, or of the content if that is a string.
func (b *history) blockLocation(m *anthropicapi.InputMessage, index,
	block int) conversation.Location {
	if _, isText := m.Content.AsString(); isText {
		return b.At(index)
	}
	return b.At(index).In("content", block)
}

// add adds a turn to the conversation. A turn without parts is reported and omitted.
func (b *history) add(t *conversation.Turn) error {
	if len(t.Parts) == 0 {
		b.LeaveOut(b.At(t.Index), isEmpty(&b.in.Messages[t.Index]))
		return nil
	}
	return b.Add(t)
}

// isEmpty reports whether a message's content consists of empty texts only. A user message then has
// at least one.
func isEmpty(m *anthropicapi.InputMessage) bool {
	blocks := blocksOf(m)
	for i := range blocks {
		if blockType(&blocks[i]) != anthropicapi.BlockTypeText ||
			jsonx.Deref(blocks[i].Text) != "" {
			return false
		}
		if m.Role == anthropicapi.RoleUser && blocks[i].Text == nil {
			return false
		}
	}
	return m.Role != anthropicapi.RoleUser || len(blocks) > 0
}

// attribution is the prefix of the text in which Claude Code sends its version to the server
// (recorded by github.com/router-for-me/CLIProxyAPI).
const attribution = "x-anthropic-billing-header:"

// instruct converts the system, which is a text or a list of texts, to the instruction.
func (c *converter) instruct() {
	if text, ok := c.in.System.AsString(); ok {
		if c.isAttribution(text, "/system") || text == "" {
			return
		}
		c.history.AddInstructions([]geminiapi.Part{{Text: new(text)}})
		return
	}
	list, _ := c.in.System.AsValue()
	parts := make([]geminiapi.Part, 0, len(list))
	for i := range list {
		block, at := &list[i], conversation.Of("/system", i)
		if blockType(block) != anthropicapi.BlockTypeText {
			c.Report.Add(report.Lost, at.Pointer(""), "an instruction can have only texts")
			continue
		}
		c.history.loseBlockMembers(block, at, inText)
		if !c.isAttribution(jsonx.Deref(block.Text), at.Pointer("/text")) {
			parts = append(parts, c.history.text(block, at)...)
		}
	}
	c.history.AddInstructions(parts)
}

// isAttribution reports whether a system text is for Anthropic's servers alone. If so, it adds a
// report entry.
func (c *converter) isAttribution(text, pointer string) bool {
	if c.attribution || !strings.HasPrefix(text, attribution) {
		return false
	}
	c.Report.Add(report.Approximated, pointer,
		"omitted, because it is statistics for Anthropic's servers")
	return true
}

// systemStart and systemEnd enclose a system message within the conversation.
const (
	systemStart = "<system>\n"
	systemEnd   = "\n</system>"
)

// instructWithin converts a system message within the conversation. Gemini has one instruction, at
// the start. So the message becomes text of the user at its place, and tags name the speaker.
// Claude Code sends such messages in nearly every request. At the start they would change the
// cached prefix from one request to the next.
func (b *history) instructWithin(m *anthropicapi.InputMessage, index int) error {
	if b.isCleared(m, index) {
		return nil
	}
	var texts []string
	for i, blocks := 0, blocksOf(m); i < len(blocks); i++ {
		block, at := &blocks[i], b.blockLocation(m, index, i)
		switch blockType(block) {
		case anthropicapi.BlockTypeText:
			b.loseBlockMembers(block, at, inText)
			if block.Text == nil {
				b.LoseText(at)
			}
			texts = append(texts, jsonx.Deref(block.Text))
		case anthropicapi.BlockTypeToolAddition:
			b.loseBlockMembers(block, at, inToolChange)
			b.addTool(block, at)
		case anthropicapi.BlockTypeToolRemoval:
			b.loseBlockMembers(block, at, inToolChange)
			b.Report.Add(report.Approximated, at.Pointer(""),
				"the tool stays declared, because Gemini gets all tools at the start")
		default:
			b.Report.Add(report.Lost, at.Pointer(""),
				"a system message can have only texts and tool changes")
		}
	}
	text := strings.Join(texts, "\n")
	if text == "" {
		return nil
	}
	b.Report.Add(report.Approximated, b.At(index).Pointer("/role"),
		"converted to text of the user in tags, because Gemini has its instruction at the start")
	said := systemStart + text + systemEnd
	return b.Add(&conversation.Turn{Role: conversation.User, Parts: []geminiapi.Part{{Text: &said}},
		Index: index})
}

// isCleared reports whether a system message applies only up to the next user message, and that
// message exists.
func (b *history) isCleared(m *anthropicapi.InputMessage, index int) bool {
	if jsonx.Deref(m.ClearAt) != "next_user_message" || index > b.lastUser {
		return false
	}
	b.Report.Add(report.Approximated, b.At(index).Pointer(""),
		"omitted, because it applies only up to the next user message")
	return true
}

// lastUser returns the position of the user's last message, or -1.
func lastUser(messages []anthropicapi.InputMessage) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == anthropicapi.RoleUser {
			return i
		}
	}
	return -1
}

// addedTool is a tool that a block of a system message adds.
type addedTool struct {
	tool           anthropicapi.Tool
	message, block int
}

// addTool registers a tool that can be used from here on. The request declares it as deferred, or
// the block describes it.
func (b *history) addTool(block *anthropicapi.ContentBlock, at conversation.Location) {
	var tool anthropicapi.Tool
	if block.Tool.Kind() != jsontext.KindBeginObject || tool.UnmarshalJSON(block.Tool) != nil ||
		tool.Name == "" {
		b.Report.Add(report.Lost, at.Pointer(""), "it names no tool")
		return
	}
	if len(tool.InputSchema) > 0 {
		b.added = append(b.added, addedTool{tool, at.Index, at.Item})
		return
	}
	b.find(tool.Name)
	b.Report.Add(report.Approximated, at.Pointer(""),
		"sent at the start, where Gemini gets all tools")
	b.LoseUnknown(jsonx.MemberPointer(at.Pointer(""), "tool"), tool.Unknown)
}

// find registers a tool as known to the model.
func (b *history) find(name string) {
	if b.found == nil {
		b.found = map[string]bool{}
	}
	b.found[name] = true
}
