package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// messages checks the conversation.
func (v *checker) messages(root *codec.Location, messages []anthropicapi.InputMessage) {
	list := root.Member("messages")
	const most = 100_000
	if len(messages) == 0 || len(messages) > most {
		v.report(&list, "length", "must have 1 to 100000 elements")
	}
	var waiting []string // unanswered calls of the previous model message
	for i := range messages {
		at, m := list.Element(i), &messages[i]
		v.message(&at, m)
		switch m.Role {
		case anthropicapi.RoleAssistant:
			waiting = append(waiting, calls(m)...)
		case anthropicapi.RoleUser:
			v.results(&at, m, waiting)
			waiting = nil
		}
	}
}

func (v *checker) message(at *codec.Location, m *anthropicapi.InputMessage) {
	v.want(m.Role.Valid(), at, "role", "oneof", "must be user, assistant or system")
	v.require(at, "content",
		!m.Content.IsZero() || m.Role == anthropicapi.RoleSystem && m.OutputConfig != nil)
	parts, _ := m.Content.AsValue()
	list := at.Member("content")
	for i := range parts {
		block := list.Element(i)
		v.block(&block, &parts[i])
		v.checkRole(&block, m.Role, &parts[i])
	}
}

// block checks that a block has what its type needs.
func (v *checker) block(at *codec.Location, b *anthropicapi.ContentBlock) {
	switch b.Type {
	case anthropicapi.BlockTypeText:
		v.want(jsonx.Deref(b.Text) != "", at, "text", "length", "must have at least 1 character")
	case anthropicapi.BlockTypeImage, anthropicapi.BlockTypeDocument:
		source, ok := b.Source.AsValue()
		v.want(ok && source.Type != "", at, "source", "required", "must be set")
	case anthropicapi.BlockTypeToolUse:
		v.want(isCallID(jsonx.Deref(b.ID)), at, "id", "id",
			"must have letters, digits, underscores and dashes only")
		v.require(at, "name", jsonx.Deref(b.Name) != "")
		v.want(isObject(b.Input), at, "input", "object", "must be an object")
	case anthropicapi.BlockTypeToolResult:
		v.require(at, "tool_use_id", jsonx.Deref(b.ToolUseID) != "")
	case anthropicapi.BlockTypeThinking:
		v.require(at, "signature", b.Signature != nil)
	}
}

// checkRole checks that a message of this role may have a block.
func (v *checker) checkRole(at *codec.Location, role anthropicapi.Role,
	b *anthropicapi.ContentBlock) {
	isNew := v.version == Version20261021
	switch b.Type {
	case anthropicapi.BlockTypeToolUse, anthropicapi.BlockTypeThinking,
		anthropicapi.BlockTypeRedactedThinking:
		v.want(role == anthropicapi.RoleAssistant, at, "type", "role",
			"must be in a model message")
	case anthropicapi.BlockTypeToolResult, anthropicapi.BlockTypeImage:
		v.want(role == anthropicapi.RoleUser, at, "type", "role",
			"must be in a user message")
	case anthropicapi.BlockTypeDocument:
		v.want(role == anthropicapi.RoleUser || !isNew, at, "type", "role",
			"must be in a user message")
	case anthropicapi.BlockTypeText:
		cited, _ := b.Citations.AsList()
		v.want(len(cited) == 0 || role == anthropicapi.RoleAssistant || !isNew, at, "citations",
			"removed", "must be empty in version 2026-10-21")
	}
}

// calls returns the ids of the calls of a message.
func calls(m *anthropicapi.InputMessage) (ids []string) {
	parts, _ := m.Content.AsValue()
	for i := range parts {
		if parts[i].Type == anthropicapi.BlockTypeToolUse {
			ids = append(ids, jsonx.Deref(parts[i].ID))
		}
	}
	return ids
}

// results checks that a message begins with the results of all unanswered calls.
func (v *checker) results(at *codec.Location, m *anthropicapi.InputMessage, waiting []string) {
	open := make(map[string]bool, len(waiting))
	for _, id := range waiting {
		open[id] = true
	}
	parts, _ := m.Content.AsValue()
	list := at.Member("content")
	hasOther := false
	for i := range parts {
		if parts[i].Type != anthropicapi.BlockTypeToolResult {
			hasOther = true
			continue
		}
		block, id := list.Element(i), jsonx.Deref(parts[i].ToolUseID)
		v.want(open[id], &block, "tool_use_id", "tool_use",
			"must be the id of an unanswered call in the previous model message")
		v.want(!hasOther || len(waiting) == 0, &block, "type", "order",
			"must come before all blocks of other types")
		delete(open, id)
	}
	if len(open) > 0 {
		v.report(&list, "tool_result",
			"must begin with a tool_result for each call of the previous model message")
	}
}
