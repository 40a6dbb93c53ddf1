package reverse

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/internal/callid"
	"github.com/go-json-experiment/json/jsontext"
)

// call adds a tool call. part holds the values that the layout has and the call does not show.
func (t *turn) call(call *openaiapi.ToolCall, part geminiapi.Part, at string) {
	t.report.loseUnknown(at, call.Unknown, "index")
	if index := jsonx.Member(call.Unknown, "index"); index != nil &&
		!strings.HasSuffix(at, "/"+string(index)) {
		t.report.add(report.Approximated, at+"/index", "the order of the list is used instead")
	}
	id, carried, intact := callid.Split(call.ID)
	if !intact {
		t.report.add(report.Lost, at+"/id", "the thought signature in it is damaged")
	}
	if carried != "" {
		part.ThoughtSignature = &carried
	}
	google := googleOf(call.ExtraContent)
	setIfPresent(&part.ThoughtSignature, google.ThoughtSignature)
	if metadata := jsonx.NonNull(google.PartMetadata); metadata != nil {
		part.PartMetadata = metadata
	}
	google.ThoughtSignature, google.PartMetadata = nil, nil
	t.report.loseGoogle(at, call.ExtraContent, google)
	if call.Custom != nil && call.Function == nil {
		t.customCall(call.Custom, id, part, at)
		return
	}
	function := jsonx.Deref(call.Function)
	t.report.lose(at+"/custom", call.Custom != nil)
	if call.Type != "" {
		t.report.differs(at+"/type", string(call.Type), string(openaiapi.ToolTypeFunction))
	}
	t.report.loseUnknown(at+"/function", function.Unknown)
	t.addCall(calledFunction{id: id, name: function.Name, arguments: function.Arguments}, part, at)
}

// customCall adds a call of a custom tool, which takes a text, as a call of a function with one
// argument.
func (t *turn) customCall(custom *openaiapi.CustomToolCall, id string, part geminiapi.Part,
	at string) {
	t.report.add(report.Approximated, at+"/type", "converted to a function, because Gemini calls only functions")
	t.report.loseUnknown(at+"/custom", custom.Unknown)
	t.report.add(report.Approximated, at+"/custom/input", "moved to an argument of that name")
	t.addCall(calledFunction{id: id, name: custom.Name, arguments: inputArguments(custom.Input)},
		part, at)
}

// inputArguments returns the arguments of the function that replaces a custom tool.
func inputArguments(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return `{"input":` + string(quoted) + `}`
}

// functionCall adds a call in the deprecated form, which has no id.
func (t *turn) functionCall(call *openaiapi.FunctionCall) {
	if call == nil {
		return
	}
	t.report.loseUnknown(t.at+"/function_call", call.Unknown)
	t.addCall(calledFunction{name: call.Name, arguments: call.Arguments}, geminiapi.Part{},
		t.at+"/function_call")
}

// calledFunction is a call as a server sends it.
type calledFunction struct{ id, name, arguments string }

// addCall adds a call at a pointer as a part. A call is malformed if its arguments are not an
// object, or if it names no function. An empty element of a list is omitted.
func (t *turn) addCall(call calledFunction, part geminiapi.Part, at string) {
	rest := jsonx.Deref(part.FunctionCall)
	if call == (calledFunction{}) && rest.Name == nil && part.ThoughtSignature == nil {
		return
	}
	args, ok := argumentsOf(call.arguments)
	if !ok && rest.Args == nil || call.name == "" && rest.Name == nil {
		t.addMalformed(call, at)
		return
	}
	if call.name != "" {
		rest.Name = new(t.nameOf(call.name))
	}
	if rest.Args == nil {
		rest.Args = args
	}
	if rest.ID == nil && call.id != "" && !strings.HasPrefix(call.id, callid.Made) {
		rest.ID = &call.id
	}
	part.FunctionCall = &rest
	t.parts = append(t.parts, part)
}

// addMalformed keeps the first malformed call for finishMessage, which has room for one.
func (t *turn) addMalformed(call calledFunction, at string) {
	if t.malformed != "" {
		t.report.add(report.Lost, at, "malformed; finishMessage names another malformed call")
		return
	}
	t.malformed = "Malformed function call: " + t.nameOf(call.name) + "(" + call.arguments + ")"
	t.report.add(report.Approximated, at, "moved to finishMessage, because it is malformed")
}

// argumentsOf returns the arguments of a call, byte for byte. Missing arguments are an empty
// object, and U+FFFD replaces half a surrogate pair. Some servers encode the object as a JSON
// string again. ok is false if the arguments are not an object.
func argumentsOf(text string) (args jsontext.Value, ok bool) {
	trimmed := strings.Trim(text, jsonSpace)
	switch {
	case trimmed == "" || trimmed == "null":
		return jsontext.Value("{}"), true
	case trimmed[0] == '"':
		inner, err := jsontext.AppendUnquote(nil, trimmed)
		trimmed = strings.Trim(string(inner), jsonSpace)
		if err != nil || !strings.HasPrefix(trimmed, "{") {
			return nil, false
		}
		text = trimmed
	case trimmed[0] != '{':
		return nil, false
	}
	args = jsontext.Value(jsonx.ReplaceHalfPairs([]byte(text)))
	return args, args.IsValid()
}

// jsonSpace is the white space of JSON.
const jsonSpace = " \n\r\t"
