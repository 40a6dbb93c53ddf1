package request

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// item converts the item at a position of the input.
func (b *history) item(item *openaiapi.ResponseItem, index int) error {
	kind, at := kindOf(item), b.At(index)
	if detail := droppedItems[kind]; detail != "" {
		b.Report.Add(report.Lost, at.Pointer(""), detail)
		return nil
	}
	if problem := refusedItems[kind]; problem != "" {
		return refuse(at.Pointer(""), problem)
	}
	switch kind {
	case openaiapi.ResponseItemTypeMessage:
		b.loseItemMembers(item, kind, at)
		return b.message(item, at)
	case openaiapi.ResponseItemTypeReasoning:
		b.loseItemMembers(item, kind, at)
		return b.reason(item, at)
	case openaiapi.ResponseItemTypeItemReference:
		return itemNotFound(at.Pointer(""), item.ID)
	case openaiapi.ResponseItemTypeAdditionalTools: // setTools declares them
		b.loseItemMembers(item, kind, at)
		if item.Role != "" && item.Role != openaiapi.ResponseRoleDeveloper {
			b.Report.Add(report.Approximated, at.Pointer("/role"),
				"tools always belong to the developer")
		}
		return nil
	case openaiapi.ResponseItemTypeConfigurationUpdate: // setGeneration applies it
		b.loseItemMembers(item, kind, at)
		return b.configure(item, at)
	case openaiapi.ResponseItemTypeCodeInterpreterCall:
		b.loseItemMembers(item, kind, at)
		b.runCode(item, at)
		return nil
	case openaiapi.ResponseItemTypeImageGenerationCall:
		b.loseItemMembers(item, kind, at)
		b.draw(item, at)
		return nil
	case openaiapi.ResponseItemTypeMCPCall:
		b.mcpCall(item, at)
		return nil
	}
	return b.callOrResult(item, kind, at)
}

// callOrResult converts a client tool call or its result.
func (b *history) callOrResult(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) error {
	if isServerSearch(item, kind) {
		b.Report.Add(report.Approximated, at.Pointer(""),
			"omitted, because a server has searched for tools; the tools are declared without the search")
		return nil
	}
	if item.Execution != "" && item.Execution != openaiapi.ToolSearchExecutionClient &&
		slices.Contains(itemMembers[kind], "execution") {
		b.Report.Add(report.Approximated, at.Pointer("/execution"),
			"read as client, because it is neither client nor server")
	}
	switch kind {
	case openaiapi.ResponseItemTypeFunctionCall, openaiapi.ResponseItemTypeCustomToolCall,
		openaiapi.ResponseItemTypeToolSearchCall:
		b.loseItemMembers(item, kind, at)
		return b.call(item, kind, at)
	case openaiapi.ResponseItemTypeFunctionCallOutput,
		openaiapi.ResponseItemTypeCustomToolCallOutput, openaiapi.ResponseItemTypeToolSearchOutput:
		b.loseItemMembers(item, kind, at)
		return b.result(item, kind, at)
	}
	if name := reservedNames[kind]; name != "" {
		return b.reserved(item, name, at)
	}
	if kind == "" {
		return refuse(at.Pointer("/type"), "must be set, or the role of a message")
	}
	b.Report.Add(report.Lost, at.Pointer(""), "Gemini has no counterpart for items of this type")
	return nil
}

// kindOf returns the type of an item. Clients omit the type of messages, which have a role, and of
// references, which have only an id.
func kindOf(item *openaiapi.ResponseItem) openaiapi.ResponseItemType {
	if item.Type != "" {
		return item.Type
	}
	if item.Role != "" {
		return openaiapi.ResponseItemTypeMessage
	}
	alone := true
	visitMembersOfResponseItem(item, func(name string) { alone = alone && name == "id" })
	if alone && item.ID != "" {
		return openaiapi.ResponseItemTypeItemReference
	}
	return ""
}

// isModels reports whether an item belongs to the model.
func isModels(item *openaiapi.ResponseItem) bool {
	kind := kindOf(item)
	return kind == openaiapi.ResponseItemTypeMessage &&
		item.Role == openaiapi.ResponseRoleAssistant || modelItems[kind]
}

// modelItems lists the kinds of items that only the model makes. It is never modified.
var modelItems = map[openaiapi.ResponseItemType]bool{
	openaiapi.ResponseItemTypeReasoning:           true,
	openaiapi.ResponseItemTypeFunctionCall:        true,
	openaiapi.ResponseItemTypeCustomToolCall:      true,
	openaiapi.ResponseItemTypeToolSearchCall:      true,
	openaiapi.ResponseItemTypeCodeInterpreterCall: true,
	openaiapi.ResponseItemTypeImageGenerationCall: true,
	openaiapi.ResponseItemTypeMCPCall:             true,
	openaiapi.ResponseItemTypeComputerCall:        true,
	openaiapi.ResponseItemTypeLocalShellCall:      true,
	openaiapi.ResponseItemTypeShellCall:           true,
	openaiapi.ResponseItemTypeApplyPatchCall:      true,
}

// droppedItems maps the kinds of items that are omitted to the reason: searches by the server
// itself, and lists. The texts after a search have what it found. Gemini accepts no such calls from
// a client. They never become function calls, because the client would need to know the results. It
// is never modified.
var droppedItems = map[openaiapi.ResponseItemType]string{
	openaiapi.ResponseItemTypeWebSearchCall:  "omitted, because a server has run the search, and requests do not repeat it",
	openaiapi.ResponseItemTypeFileSearchCall: "omitted, because a server has run the search, and requests do not repeat it",
	openaiapi.ResponseItemTypeMCPListTools:   "omitted, because a server has made the list, and requests do not repeat it",
}

// refusedItems lists the kinds of items without which the conversation would change its meaning. It
// is never modified.
var refusedItems = map[openaiapi.ResponseItemType]string{
	openaiapi.ResponseItemTypeMCPApprovalRequest:  "is not supported: Gemini calls MCP servers without waiting for an approval",
	openaiapi.ResponseItemTypeMCPApprovalResponse: "is not supported: Gemini calls MCP servers without waiting for an approval",
	openaiapi.ResponseItemTypeCompaction:          "is sealed and only OpenAI or the gateway that made it can open it; send the items themselves",
	openaiapi.ResponseItemTypeCompactionTrigger:   "is not supported here: only a gateway shortens conversations; send fewer items",
	openaiapi.ResponseItemTypeProgram:             "is not supported: Gemini cannot continue a program of OpenAI's model",
	openaiapi.ResponseItemTypeProgramOutput:       "is not supported: Gemini cannot continue a program of OpenAI's model",
}

// message converts a message, by its role.
func (b *history) message(item *openaiapi.ResponseItem, at conversation.Location) error {
	switch item.Role {
	case openaiapi.ResponseRoleSystem, openaiapi.ResponseRoleDeveloper:
		return b.instruct(item, at)
	case openaiapi.ResponseRoleUser:
		return b.ask(item, at)
	case openaiapi.ResponseRoleAssistant:
		return b.say(item, at)
	default:
		return refuse(at.Pointer("/role"), "must be user, assistant, system or developer")
	}
}

// instruct adds a system message to the instruction. Gemini has only one.
func (b *history) instruct(item *openaiapi.ResponseItem, at conversation.Location) error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	parts, err := b.content(item, at)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		b.LeaveOut(at, true)
	}
	b.Instruct(parts, at)
	return nil
}

// ask adds a user message.
func (b *history) ask(item *openaiapi.ResponseItem, at conversation.Location) error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	if item.Content.IsZero() {
		return conversation.MissingContent(at)
	}
	parts, err := b.content(item, at)
	if err == nil && len(parts) == 0 {
		parts, err = b.Silence(at, isEmpty(item))
	}
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		b.LeaveOut(at, isEmpty(item))
		return nil
	}
	return b.Add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at.Index})
}

// isEmpty reports whether the content of a message is an empty text or a list of empty texts.
func isEmpty(item *openaiapi.ResponseItem) bool {
	list, isList := item.Content.AsValue()
	for i := range list {
		if text, isText := textOf(&list[i], partType(&list[i])); !isText || text == nil ||
			*text != "" {
			return false
		}
	}
	return !isList || len(list) > 0
}

// say adds a model message.
func (b *history) say(item *openaiapi.ResponseItem, at conversation.Location) error {
	parts, err := b.content(item, at)
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		b.Report.Add(report.Approximated, at.Pointer(""), detailEmpty)
	}
	for i := range parts {
		b.keep(&parts[i], at, len(parts)-i)
	}
	b.answer.pass()
	return nil
}

// reservedNames maps kinds of client tool calls that Gemini does not have to the functions that
// stand for them. It is never modified.
var reservedNames = map[openaiapi.ResponseItemType]string{
	openaiapi.ResponseItemTypeComputerCall:         "computer",
	openaiapi.ResponseItemTypeComputerCallOutput:   "computer",
	openaiapi.ResponseItemTypeLocalShellCall:       "local_shell",
	openaiapi.ResponseItemTypeLocalShellCallOutput: "local_shell",
	openaiapi.ResponseItemTypeShellCall:            "shell",
	openaiapi.ResponseItemTypeShellCallOutput:      "shell",
	openaiapi.ResponseItemTypeApplyPatchCall:       "apply_patch",
	openaiapi.ResponseItemTypeApplyPatchCallOutput: "apply_patch",
}

// content converts the content of a message, which is a text or a list of parts. It omits empty
// parts.
func (b *history) content(item *openaiapi.ResponseItem, at conversation.Location) ([]geminiapi.Part,
	error) {
	if text, ok := item.Content.AsString(); ok {
		if text == "" {
			return nil, nil
		}
		return []geminiapi.Part{{Text: new(text)}}, nil
	}
	list, _ := item.Content.AsValue()
	parts := make([]geminiapi.Part, 0, len(list))
	for i := range list {
		part, err := b.part(&list[i], cmp.Or(item.Role, openaiapi.ResponseRoleUser),
			at.In("content", i))
		if err != nil {
			return nil, err
		}
		parts = conversation.AppendPart(parts, &part)
	}
	return parts, nil
}
