package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// addCall adds a tool call. part holds the values that the layout has and the call does not show.
func (a *answer) addCall(i int, part *geminiapi.Part) error {
	call, at := &a.message.ToolCalls[i], a.at("tool_calls", i)
	function, err := a.function(call, at)
	if err != nil {
		return err
	}
	id, carried, intact := callid.Split(call.ID)
	google := a.extension(call.ExtraContent, at, inCall)
	if carried != "" { // The extension's signature takes precedence.
		part.ThoughtSignature = new(carried)
	}
	extend(part, google)
	if !intact {
		a.ReportDamaged(at.Pointer("/id"), part.ThoughtSignature != nil)
	}
	a.keepCall(part, function, id, at)
	return nil
}

// function returns the function call for a tool call. A call of a custom tool becomes a call of a
// function with one text argument.
func (a *answer) function(call *openaiapi.ToolCall,
	at conversation.Location) (geminiapi.FunctionCall, error) {
	if call.Unknown != nil {
		a.loseCallMembers(call.Unknown, at)
	}
	custom := call.Custom != nil && (call.Type == openaiapi.ToolTypeCustom || call.Function == nil)
	if !custom && call.Function == nil {
		return geminiapi.FunctionCall{},
			&refusal.Error{Pointer: at.Pointer(""),
				Problem: "the call has no function"}
	}
	if call.Type != "" && !call.Type.Valid() {
		a.Report.Add(report.Approximated, at.Pointer("/type"),
			"unknown type; the members of the call determine its type")
	}
	if custom {
		a.loseOther(call.Function != nil, at, "/function")
		return named(a.customCall(call.Custom, at), at, "/custom")
	}
	a.loseOther(call.Custom != nil, at, "/custom")
	return named(a.calledFunction(call.Function, at, "/function"), at, "/function")
}

// named returns the call, or an error if it has no name. The location names the member that it was
// converted from.
func named(function geminiapi.FunctionCall, at conversation.Location,
	member string) (geminiapi.FunctionCall, error) {
	if jsonx.Deref(function.Name) == "" {
		return function,
			&refusal.Error{Pointer: at.Pointer(member + "/name"),
				Problem: conversation.NamelessCall}
	}
	return function, nil
}

// loseCallMembers reports the unknown members of a call. A client may have kept the member index
// from the stream; it is redundant, because the list has the order.
func (a *answer) loseCallMembers(unknown jsontext.Value, at conversation.Location) {
	for name, value := range jsonx.Members(unknown) {
		if value.Kind() != jsontext.KindNull &&
			(name != "index" || string(value) != strconv.Itoa(at.Item)) {
			a.Report.Add(report.Lost, jsonx.MemberPointer(at.Pointer(""), name), target.DetailUnknown)
		}
	}
}

func (a *answer) loseOther(present bool, at conversation.Location, member string) {
	if present {
		a.Report.Add(report.Lost, at.Pointer(member), detailNotHere)
	}
}

// functionName returns Gemini's name for a tool.
func functionName(tool *string) *string {
	if name := functions.Name(*tool); name != *tool {
		return &name
	}
	return tool
}

func (a *answer) calledFunction(function *openaiapi.FunctionCall, at conversation.Location,
	member string) geminiapi.FunctionCall {
	a.loseUnknownIn(at, member, function.Unknown)
	args, exact := object.OfArguments(a.ReplaceLone(function.Arguments, at, member+"/arguments"))
	if !exact {
		a.Report.Add(report.Approximated, at.Pointer(member+"/arguments"),
			"put into a JSON object, because Gemini requires one")
	}
	return geminiapi.FunctionCall{Name: functionName(&function.Name), Args: args}
}

func (a *answer) customCall(custom *openaiapi.CustomToolCall,
	at conversation.Location) geminiapi.FunctionCall {
	a.loseUnknownIn(at, "/custom", custom.Unknown)
	a.Report.Add(report.Approximated, at.Pointer("/custom"), "converted to a function, because Gemini calls only functions")
	return geminiapi.FunctionCall{Name: functionName(&custom.Name), Args: object.OfText("input", custom.Input)}
}

// keepCall completes the part of a call and adds it to the calls that need a result. It omits ids
// that this package made, because Gemini sent none.
func (a *answer) keepCall(part *geminiapi.Part, function geminiapi.FunctionCall, id string,
	at conversation.Location) {
	if rest := part.FunctionCall; rest != nil {
		function = a.nextToLayout(*rest, function, id, at)
	}
	if function.ID == nil && id != "" && !strings.HasPrefix(id, callid.Made) {
		function.ID = new(id)
	}
	part.FunctionCall = &function
	a.turn.Calls = append(a.turn.Calls,
		conversation.Call{ID: id, WireID: function.ID, Name: *function.Name, At: at,
			NoMember: at.List == ""})
	a.keep(part)
}

// nextToLayout completes the layout's function call with members of the message's call. The layout
// has arguments only if they are not an object, and an id only if it looks like one of this
// package.
func (a *answer) nextToLayout(rest, function geminiapi.FunctionCall, id string,
	at conversation.Location) geminiapi.FunctionCall {
	if rest.Name != nil || rest.ID != nil && *rest.ID != id {
		a.Report.Add(report.Approximated,
			a.At(a.turn.Index).Pointer("/"+extensionName(a.message)+layoutList),
			"it differs from the calls of the message")
	}
	rest.Name = function.Name
	switch {
	case rest.Args == nil:
		rest.Args = function.Args
	case string(function.Args) != "{}":
		a.Report.Add(report.Lost, at.Pointer("/function/arguments"), "the layout has the arguments")
	}
	return rest
}

// addFunctionCall adds a call of the deprecated form, which has neither an id nor a signature. It
// gets the signature of the message, unless a text has it.
func (a *answer) addFunctionCall(call *openaiapi.FunctionCall) error {
	at := a.At(a.turn.Index)
	function, err := named(a.calledFunction(call, at, "/function_call"), at, "/function_call")
	if err != nil {
		return err
	}
	a.keepCall(&geminiapi.Part{ThoughtSignature: a.callSignature}, function, "", at)
	return nil
}

// UnsignedCall stands for the thought signature of a call that has none, for example because
// another provider's model made the call. Google documents this word to skip the check. It is sent
// as it is, not in base64.
const UnsignedCall = conversation.UnsignedCall
