package request

import (
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/surrogate"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
	"github.com/go-json-experiment/json/jsontext"
)

// addCall adds a tool call. The part is what the layout has beyond it.
func (a *answer) addCall(i int, part *geminiapi.Part) error {
	call, at := &a.message.ToolCalls[i], a.at("tool_calls", i)
	function, err := a.function(call, at)
	if err != nil {
		return err
	}
	id, carried, intact := callid.Split(call.ID)
	if !intact {
		a.report.Add(transform.Approximated, at.pointer("/id"), "the thought signature in it is damaged and left out")
	}
	google := a.extension(call.ExtraContent, at, inCall)
	if carried != "" { // The extension's counts more.
		part.ThoughtSignature = new(carried)
	}
	extend(part, google)
	a.keepCall(part, function, id, at)
	return nil
}

// function returns the function call that a call is. A custom tool's is that of a function with one text.
func (a *answer) function(call *openaiapi.ToolCall, at location) (geminiapi.FunctionCall, error) {
	if call.Unknown != nil {
		a.loseCallMembers(call.Unknown, at)
	}
	custom := call.Custom != nil && (call.Type == openaiapi.ToolTypeCustom || call.Function == nil)
	if !custom && call.Function == nil {
		return geminiapi.FunctionCall{}, &Error{Pointer: at.pointer(""), Problem: "a call without the function that is called"}
	}
	if call.Type != "" && !call.Type.Valid() {
		a.report.Add(transform.Approximated, at.pointer("/type"), "no such type; what the call has counts")
	}
	if custom {
		a.loseOther(call.Function != nil, at, "/function")
		return a.customCall(call.Custom, at), nil
	}
	a.loseOther(call.Custom != nil, at, "/custom")
	return a.calledFunction(call.Function, at, "/function"), nil
}

// loseCallMembers reports the members of a call that nobody knows. An index is one that a client has kept
// from the stream that it made the call of; the order of the list has it already.
func (a *answer) loseCallMembers(unknown jsontext.Value, at location) {
	for name, value := range rawobject.Members(unknown) {
		if value.Kind() != jsontext.KindNull && (name != "index" || string(value) != strconv.Itoa(at.item)) {
			a.report.Add(transform.Lost, below(at.pointer(""), name), detailNobodyKnows)
		}
	}
}

func (a *answer) loseOther(present bool, at location, member string) {
	if present {
		a.report.Add(transform.Lost, at.pointer(member), detailNotHere)
	}
}

func (a *answer) calledFunction(function *openaiapi.FunctionCall, at location, member string) geminiapi.FunctionCall {
	a.loseUnknownIn(at, member, function.Unknown)
	args, exact := argumentsObject(a.replaceLone(function.Arguments, at, member, "/arguments"))
	if !exact {
		a.report.Add(transform.Approximated, at.pointer(member+"/arguments"), "no JSON object; put into one")
	}
	return geminiapi.FunctionCall{Name: &function.Name, Args: args}
}

func (a *answer) customCall(custom *openaiapi.CustomToolCall, at location) geminiapi.FunctionCall {
	a.loseUnknownIn(at, "/custom", custom.Unknown)
	a.report.Add(transform.Approximated, at.pointer("/custom"), "Gemini calls functions only")
	return geminiapi.FunctionCall{Name: &custom.Name, Args: wrapText("input", custom.Input)}
}

// keepCall completes the part of a call and adds it to the calls that need a result. Ids that this package has made
// are left out, as Gemini sent none.
func (a *answer) keepCall(part *geminiapi.Part, function geminiapi.FunctionCall, id string, at location) {
	if rest := part.FunctionCall; rest != nil {
		function = a.besideLayout(*rest, function, id, at)
	}
	if function.ID == nil && id != "" && !strings.HasPrefix(id, callid.Made) {
		function.ID = new(id)
	}
	part.FunctionCall = &function
	a.turn.calls = append(a.turn.calls, pendingCall{id: id, wireID: function.ID, name: *function.Name, at: at})
	a.keep(part)
}

// besideLayout completes the layout's function call by the message's. The layout has arguments only when
// they are no object, and an id only when it looks like one that this package has made.
func (a *answer) besideLayout(rest, function geminiapi.FunctionCall, id string, at location) geminiapi.FunctionCall {
	if rest.Name != nil || rest.ID != nil && *rest.ID != id {
		a.report.Add(transform.Approximated, location{message: a.turn.message}.pointer("/"+extensionName(a.message)+layoutList), "it differs from the calls of the message")
	}
	rest.Name = function.Name
	switch {
	case rest.Args == nil:
		rest.Args = function.Args
	case string(function.Args) != "{}":
		a.report.Add(transform.Lost, at.pointer("/function/arguments"), "the layout has the arguments")
	}
	return rest
}

// addFunctionCall adds the deprecated form of a call, which has neither an id nor a signature. That of the message is the call's, unless a text has it.
func (a *answer) addFunctionCall(call *openaiapi.FunctionCall) {
	at := location{message: a.turn.message}
	part := geminiapi.Part{ThoughtSignature: a.callSignature}
	a.keepCall(&part, a.calledFunction(call, at, "/function_call"), "", at)
}

// UnsignedCall stands for the thought signature of a call that has none, such as one that another
// provider's model made: the word by which Google documents that the check is to be skipped, as it is,
// not in base64.
const UnsignedCall = "skip_thought_signature_validator"

// sign completes the calls for models that refuse unsigned ones. They ask for a signature on the first
// call of each of the model's turns.
func (b *conversation) sign() {
	if !b.traits.RequiresSignatures {
		return
	}
	for i := range b.turns {
		if t := &b.turns[i]; len(t.calls) > 0 {
			b.signTurn(t)
		}
	}
}

func (b *conversation) signTurn(t *turn) {
	first := firstCall(t.parts)
	if first == nil || optional.Value(first.ThoughtSignature) != "" {
		return
	}
	first.ThoughtSignature = new(UnsignedCall)
	b.report.Add(transform.Added, t.calls[0].at.pointer("/extra_content/google/thought_signature"),
		"the call has no thought signature; Gemini is asked not to check it")
}

func firstCall(parts []geminiapi.Part) *geminiapi.Part {
	for i := range parts {
		if parts[i].FunctionCall != nil {
			return &parts[i]
		}
	}
	return nil
}

// argumentsObject returns the arguments of a call, which Gemini takes only as an object. Clients send an
// empty text or null for a call without any. An object stays as the model wrote it, byte for byte; exact
// is false for everything else, which becomes the one argument of that name.
func argumentsObject(text string) (args jsontext.Value, exact bool) {
	switch strings.TrimSpace(text) {
	case "", "null":
		return jsontext.Value("{}"), true
	}
	if object, ok := asObject(text); ok {
		return object, true
	}
	return wrap("arguments", text), false
}

// replaceLone returns a text that holds JSON with U+FFFD for half a surrogate pair, which no decoder takes, and
// reports it. Other texts stay as they are.
func (b *conversation) replaceLone(text string, at location, object, member string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	whole := surrogate.ReplaceLone([]byte(text))
	if string(whole) == text || !jsontext.Value(whole).IsValid() {
		return text
	}
	b.report.Add(transform.Approximated, at.pointer(object+member), "it has half a surrogate pair, for which U+FFFD stands")
	return string(whole)
}

// asObject returns a text that is a JSON object, with all its white space.
func asObject(text string) (object jsontext.Value, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "{") {
		return nil, false
	}
	object = jsontext.Value(text)
	return object, object.IsValid()
}

// jsonSpace are the characters that JSON allows between its tokens.
const jsonSpace = " \n\r\t"

// wrap returns an object with one member: a list as it is, or else the text. That of a number stays one, whose digits
// nobody rounds.
func wrap(name, text string) jsontext.Value {
	if strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "[") && jsontext.Value(text).IsValid() {
		return jsontext.Value(`{"` + name + `":` + text + `}`)
	}
	return wrapText(name, text)
}

// wrapText returns an object with one member, a text.
func wrapText(name, text string) jsontext.Value {
	out := make([]byte, 0, len(name)+len(text)+len(`{"":""}`)+len(text)/16)
	out = append(append(append(out, `{"`...), name...), `":`...)
	out, _ = jsontext.AppendQuote(out, text) // what is not UTF-8 becomes the replacement character
	return append(out, '}')
}
