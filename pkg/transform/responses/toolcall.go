package responses

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/callid"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// openCall is the open call.
type openCall struct {
	arguments []byte // so far
	at        answer.PartLocation
}

// callID returns a unique call_id for a call.
func (e *encoder) callID(id string, isMade bool, part int, at answer.PartLocation) string {
	if isMade {
		if e.entries.Stream == nil { // otherwise package normalize has reported it
			e.entries.Add(report.Added, at, "/functionCall/id", "the call has no id")
		}
		id = e.madeID(id, part)
	} else if len(id) > callid.Longest {
		e.entries.Add(report.Lost, at, "/functionCall/id", detailLongID)
		id = callid.Of(e.responseID, e.index, part)
	}
	if !e.taken.Add(id) {
		e.entries.Add(report.Approximated, at, "/functionCall/id",
			"replaced by another id, because an earlier call has the same id")
		id = callid.Of(e.responseID, e.index, part)
		e.taken.Add(id)
	}
	return id
}

// madeID returns the id of a call that Gemini sent without one: the id of package normalize, unless
// an option sets another way.
func (e *encoder) madeID(id string, part int) string {
	if e.toolCallID == nil {
		return id
	}
	if id := e.toolCallID(e.responseID, e.index, part); id != "" {
		return id
	}
	return callid.Of(e.responseID, e.index, part)
}

// startCall starts a call of the tool that its function stands for.
func (e *encoder) startCall(id, function, signature string, part int, at answer.PartLocation) {
	if signature != "" {
		e.wait(envelope.Entry{Kind: envelope.Call, Ordinal: part, Signature: signature})
	}
	tool := e.names.Tool(function)
	item := openaiapi.ResponseItem{
		Type:   openaiapi.ResponseItemTypeFunctionCall,
		Status: openaiapi.ResponseItemStatusInProgress,
		CallID: id, Name: tool.Name, Namespace: tool.Namespace,
	}
	prefix := "fc_"
	switch tool.Kind {
	case toolname.Custom:
		prefix, item.Type, item.Input = "ctc_", openaiapi.ResponseItemTypeCustomToolCall, new("")
	case toolname.Search:
		prefix, item.Type, item.Name = "tsc_", openaiapi.ResponseItemTypeToolSearchCall, ""
		item.Execution, item.Arguments = openaiapi.ToolSearchExecutionClient,
			wiretype.ValueOf(emptyObject)
	default:
		item.Arguments = wiretype.StringOf[jsontext.Value]("")
	}
	e.begin(prefix, &item)
	e.call = openCall{arguments: e.call.arguments[:0], at: at}
}

// emptyObject is never modified.
var emptyObject = jsontext.Value("{}")

// continueCall adds a piece of the open call's arguments.
func (e *encoder) continueCall(piece string) {
	e.call.arguments = append(e.call.arguments, piece...)
	if e.streams && piece != "" && e.open == openaiapi.ResponseItemTypeFunctionCall {
		e.emitOf(openaiapi.ResponseEventTypeFunctionCallArgumentsDelta).Delta = delta(piece)
	}
}

// endCall ends the open call. Its arguments are complete unless isIncomplete is true.
func (e *encoder) endCall(isIncomplete bool) {
	e.item.Status = openaiapi.ResponseItemStatusCompleted
	if isIncomplete {
		e.item.Status = openaiapi.ResponseItemStatusIncomplete
	}
	e.finishArguments()
	e.done()
}

// cutCall ends the open call of a stream that failed during the call.
func (e *encoder) cutCall() {
	e.item.Status = openaiapi.ResponseItemStatusIncomplete
	e.finishArguments()
}

// finishArguments sends the complete arguments of the open call.
func (e *encoder) finishArguments() {
	switch arguments := e.call.arguments; e.open {
	case openaiapi.ResponseItemTypeFunctionCall:
		text := string(arguments)
		e.item.Arguments = wiretype.StringOf[jsontext.Value](text)
		if e.streams {
			event := e.emitOf(openaiapi.ResponseEventTypeFunctionCallArgumentsDone)
			event.Name, event.Arguments = e.item.Name, &text
		}
	case openaiapi.ResponseItemTypeToolSearchCall:
		if value := jsontext.Value(bytes.Clone(arguments)); value.IsValid(
			jsontext.AllowDuplicateNames(true)) {
			e.item.Arguments = wiretype.ValueOf(value)
		}
	default:
		e.writeInput()
	}
}

// writeInput sends the input of a custom tool call, which is the only argument.
func (e *encoder) writeInput() {
	input, ok := onlyText(e.call.arguments)
	if !ok {
		e.entries.Add(report.Approximated, e.call.at, "/functionCall/args", detailNoInput)
		input = string(e.call.arguments)
	}
	e.item.Input = &input
	if !e.streams {
		return
	}
	if input != "" {
		e.emitOf(openaiapi.ResponseEventTypeCustomToolCallInputDelta).Delta = delta(input)
	}
	e.emitOf(openaiapi.ResponseEventTypeCustomToolCallInputDone).Input = &input
}

const detailNoInput = "the arguments are used as the input, because they are not the one text of a custom tool"

// onlyText returns the input of a custom tool call: the text of the only argument, whatever its
// name.
func onlyText(arguments []byte) (string, bool) {
	var members map[string]jsontext.Value
	if json.Unmarshal(arguments, &members) != nil {
		return "", false
	}
	value, ok := members[toolname.Input]
	if !ok || len(members) != 1 {
		if len(members) != 1 {
			return "", false
		}
		for _, only := range members {
			value = only
		}
	}
	var text string
	if value.Kind() != jsontext.KindString || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

const (
	detailLongID         = "replaced, because it is longer than the 64 bytes that OpenAI accepts; later requests send the call without it and results by order"
	detailOtherArguments = "kept in the extension, because arguments must be an object; the call has an empty one"
)
