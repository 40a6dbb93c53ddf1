package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
	"github.com/go-json-experiment/json"
)

// result converts the result of a client tool call.
func (b *history) result(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) error {
	if err := b.endAnswer(); err != nil {
		return err
	}
	refers := conversation.ToID(item.CallID)
	if item.CallID == "" {
		refers = b.callWithoutID(item, kind, at.Index)
	}
	call, err := b.Answered(at, refers)
	switch {
	case err != nil:
		return err
	case call == nil:
		return b.addOrphan(item, kind, at)
	}
	response, err := b.response(item, kind, at)
	if err != nil {
		return err
	}
	b.SetResult(call, response, at)
	if (item.Name != "" || item.Namespace != "") && b.functionOf(item, kind) != call.Name {
		b.reportOtherName(item, at)
	}
	return nil
}

// callWithoutID returns the call for a result without call_id: a call of its function. A
// local_shell_call_output has the call's id in its own member id (OpenAI's description;
// openai-agents for Python). It is the call_id or the id of the call item.
func (b *history) callWithoutID(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	index int) conversation.Reference {
	if kind == openaiapi.ResponseItemTypeLocalShellCallOutput && item.ID != "" {
		for i := index - 1; i >= 0 && b.looked < mostLooked; i-- {
			b.looked++
			call := &b.items[i]
			if call.Type == openaiapi.ResponseItemTypeLocalShellCall &&
				(call.CallID == item.ID || call.ID == item.ID) {
				return conversation.ToID(call.CallID)
			}
		}
	}
	return conversation.ToFunction(b.functionOf(item, kind))
}

// reportOtherName reports a result that names another function than its call.
func (b *history) reportOtherName(item *openaiapi.ResponseItem, at conversation.Location) {
	const detail = "the call names another function, which is used"
	if item.Name != "" {
		b.Report.Add(report.Approximated, at.Pointer("/name"), detail)
	}
	if item.Namespace != "" {
		b.Report.Add(report.Approximated, at.Pointer("/namespace"), detail)
	}
}

// functionOf returns the function name of a result from its own members.
func (b *history) functionOf(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType) string {
	tool := toolname.Tool{Namespace: item.Namespace, Name: item.Name}
	switch kind {
	case openaiapi.ResponseItemTypeCustomToolCallOutput:
		tool.Kind = toolname.Custom
	case openaiapi.ResponseItemTypeToolSearchOutput:
		tool = toolname.SearchTool()
	}
	if name := reservedNames[kind]; name != "" {
		return name
	}
	return b.names.Function(tool)
}

// addOrphan adds a result whose call is not in the conversation, for example because a client has
// cut off the beginning. If the conversation begins in a cache, the call may be there.
func (b *history) addOrphan(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) error {
	if b.TakesCachedResults() {
		return b.addCachedCallResult(item, kind, at)
	}
	b.Report.Add(report.Approximated, at.Pointer(""), conversation.DetailNoCall)
	parts, err := b.saidParts(item, kind, at)
	if err != nil {
		return err
	}
	parts = conversation.UserResult(item.Name, item.CallID, parts)
	return b.Add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: at.Index})
}

// saidParts returns the content of a result as parts of a turn.
func (b *history) saidParts(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) ([]geminiapi.Part, error) {
	if text, ok := b.plainOutput(item, kind); ok {
		return conversation.AppendPart(nil, &geminiapi.Part{Text: &text}), nil
	}
	var parts []geminiapi.Part
	output, _ := item.Output.AsValue()
	for i, list := 0, output.All(); i < len(list); i++ {
		part, err := b.part(&list[i], openaiapi.ResponseRoleUser,
			outputLocation(at, i, output.AsOne() != nil))
		if err != nil {
			return nil, err
		}
		parts = conversation.AppendPart(parts, &part)
	}
	return parts, nil
}

// outputLocation returns the location of a result's part: an element of output, or output itself.
func outputLocation(at conversation.Location, i int, isOne bool) conversation.Location {
	if isOne {
		return at.In("output", conversation.Whole)
	}
	return at.In("output", i)
}

// addCachedCallResult adds a result of a call that is in a cache. The id stands for the function
// name, because only the call has the name.
func (b *history) addCachedCallResult(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) error {
	response, err := b.response(item, kind, at)
	if err != nil {
		return err
	}
	b.Report.Add(report.Approximated, at.Pointer("/call_id"), conversation.DetailCachedCall)
	response.Name = &item.CallID
	if item.Name != "" {
		response.Name = new(b.functionOf(item, kind))
	}
	if item.CallID != "" && !strings.HasPrefix(item.CallID, callid.Made) {
		response.ID = &item.CallID
	}
	b.AddCachedResult(response, at)
	return nil
}

// response converts the content of a result to the object that Gemini requires.
func (b *history) response(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) (*geminiapi.FunctionResponse, error) {
	var out geminiapi.FunctionResponse
	text, ok := b.plainOutput(item, kind)
	if !ok {
		var err error
		if text, err = b.outputParts(&out, item, at); err != nil {
			return nil, err
		}
	}
	if kind == openaiapi.ResponseItemTypeApplyPatchCallOutput &&
		item.Status == openaiapi.ResponseItemStatusFailed {
		if item.Output.IsZero() {
			text = "failed"
		}
		b.SetError(&out, text, at, "/output")
		return &out, nil
	}
	b.SetResponse(&out, text, at, "/output")
	return &out, nil
}

// plainOutput returns a result that is one text. A text stays unchanged. Content that a message
// cannot have becomes JSON, for example the output of shell commands or the tools that a search
// found.
func (b *history) plainOutput(item *openaiapi.ResponseItem,
	kind openaiapi.ResponseItemType) (text string, ok bool) {
	if kind == openaiapi.ResponseItemTypeToolSearchOutput {
		return b.foundTools(item), true
	}
	if text, ok := item.Output.AsString(); ok {
		return text, true
	}
	if isSentWhole(item, kind) {
		data, err := restOf(item)
		return string(data), err == nil
	}
	return "", false
}

// isSentWhole reports whether all members of a result are sent as JSON. These are results of tools
// that Gemini does not have, except texts and images.
func isSentWhole(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType) bool {
	_, isText := item.Output.AsString()
	return reservedNames[kind] != "" && kind != openaiapi.ResponseItemTypeComputerCallOutput &&
		!isText
}

// foundTools returns the names of the functions that a search found. They are declared with all
// others.
func (b *history) foundTools(item *openaiapi.ResponseItem) string {
	names := []string{}
	var add func(namespace string, tools []openaiapi.ResponseTool)
	add = func(namespace string, tools []openaiapi.ResponseTool) {
		for i := range tools {
			if tools[i].Type == openaiapi.ResponseToolTypeNamespace {
				if namespace == "" && tools[i].Name != "" {
					add(tools[i].Name, tools[i].Tools)
				}
				continue
			}
			names = append(names, b.names.Function(toolname.ToolOf(&tools[i], namespace)))
		}
	}
	add("", item.Tools)
	data, _ := json.Marshal(names, jsonx.Canonical) // never fails
	return `{"tools":` + string(data) + `}`
}

// outputParts returns the joined texts of a result's parts, and adds its media.
func (b *history) outputParts(out *geminiapi.FunctionResponse, item *openaiapi.ResponseItem,
	at conversation.Location) (string, error) {
	output, _ := item.Output.AsValue()
	list := output.All()
	var texts []string
	for i := range list {
		p, at := &list[i], outputLocation(at, i, output.AsOne() != nil)
		kind := partType(p)
		if text, ok := textOf(p, kind); ok {
			b.losePartMembers(p, kind, at)
			if text == nil {
				b.LoseText(at)
			}
			texts = append(texts, jsonx.Deref(text))
			continue
		}
		part, err := b.part(p, openaiapi.ResponseRoleUser, at)
		if err != nil {
			return "", err
		}
		b.AddMedia(out, &part, at, "/detail")
	}
	return strings.Join(texts, ""), nil
}
