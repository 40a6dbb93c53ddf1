package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// call adds a call of a function, of a custom tool or of the client's tool search.
func (b *history) call(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) error {
	tool := toolname.Tool{Namespace: item.Namespace, Name: item.Name}
	var args jsontext.Value
	switch kind {
	case openaiapi.ResponseItemTypeCustomToolCall:
		tool.Kind = toolname.Custom
		args = object.OfText(toolname.Input, jsonx.Deref(item.Input))
	case openaiapi.ResponseItemTypeToolSearchCall:
		tool = toolname.SearchTool()
		fallthrough
	default:
		var err error
		if args, err = b.arguments(item, at); err != nil {
			return err
		}
	}
	if tool.Name == "" {
		return refuse(at.Pointer("/name"), conversation.NamelessCall)
	}
	b.keepCall(item, b.names.Function(tool), args, at)
	return nil
}

// arguments returns the arguments of a call as the object that Gemini requires. It returns an error
// if they are not JSON.
func (b *history) arguments(item *openaiapi.ResponseItem, at conversation.Location) (jsontext.Value,
	error) {
	text, isText := item.Arguments.AsString()
	if value, ok := item.Arguments.AsValue(); ok {
		text, isText = string(value), true
	}
	if !isText {
		return jsontext.Value("{}"), nil
	}
	text = b.ReplaceLone(text, at, "/arguments")
	args, exact := object.OfArguments(text)
	if !exact {
		if !jsontext.Value(text).IsValid() {
			return nil, refuse(at.Pointer("/arguments"),
				"the arguments of item "+strconv.Itoa(at.Index)+" of the input are not JSON")
		}
		b.Report.Add(report.Approximated, at.Pointer("/arguments"), "put into a JSON object, because Gemini requires one")
	}
	return args, nil
}

// keepCall adds a call to the turn and registers it, because it needs a result. It omits ids that
// package responses made, because Gemini sent none.
func (b *history) keepCall(item *openaiapi.ResponseItem, name string, args jsontext.Value,
	at conversation.Location) {
	call := &geminiapi.FunctionCall{Name: &item.Name, Args: args}
	if item.Name != name {
		call.Name = new(name)
	}
	if item.CallID != "" && !strings.HasPrefix(item.CallID, callid.Made) {
		call.ID = &item.CallID
	}
	b.keep(&geminiapi.Part{FunctionCall: call}, at, 1)
	if b.answer.turn.Calls == nil {
		b.answer.turn.Calls = make([]conversation.Call, 0, 2) // many agents make two calls at once
	}
	b.answer.turn.Calls = append(b.answer.turn.Calls,
		conversation.Call{ID: item.CallID, WireID: call.ID, Name: name, At: at})
	b.answer.pass()
}

// isServerSearch reports whether an item belongs to a tool search of a server. The client has no
// result for it.
func isServerSearch(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType) bool {
	isSearch := kind == openaiapi.ResponseItemTypeToolSearchCall ||
		kind == openaiapi.ResponseItemTypeToolSearchOutput
	return isSearch && (item.Execution == openaiapi.ToolSearchExecutionServer || item.CallID == "")
}

// reserved converts a call of a tool that Gemini does not have, or its result, to a function call
// or result under the tool's name. All members of the item become its argument or its result. A
// result that is a text or an image becomes only that.
func (b *history) reserved(item *openaiapi.ResponseItem, name string,
	at conversation.Location) error {
	b.Report.Add(report.Approximated, at.Pointer(""),
		"converted to a call of the function "+strconv.Quote(name))
	if modelItems[item.Type] {
		args, err := restOf(item)
		if err != nil {
			return refuse(at.Pointer(""), "not JSON")
		}
		b.keepCall(item, name, args, at)
		return nil
	}
	if !isSentWhole(item, item.Type) {
		b.loseItemMembers(item, item.Type, at)
	}
	return b.result(item, item.Type, at)
}

// restOf returns the members of an item that describe the action, as one object.
func restOf(item *openaiapi.ResponseItem) (jsontext.Value, error) {
	rest := *item
	rest.ID, rest.Type, rest.Status, rest.CallID = "", "", "", ""
	data, err := json.Marshal(&rest, jsonx.Canonical)
	if err != nil {
		return nil, err
	}
	return data, nil
}
