package steps

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// serverTool is a tool that Google runs, in both formats.
type serverTool struct {
	name   string // prefix of the types of its steps
	gemini geminiapi.ToolType
	search interactionsapi.SearchType // only with this; empty for any
	// isOurs is true for a type that Gemini's format does not have. Google refuses it in requests.
	isOurs bool
}

// serverTools are the tools that have toolCall and toolResponse parts. The first one that fits is
// used. The list is never modified.
var serverTools = []serverTool{
	{name: "google_search", gemini: geminiapi.ToolTypeGoogleSearchImage,
		search: interactionsapi.SearchTypeImageSearch},
	{name: "google_search", gemini: geminiapi.ToolTypeGoogleSearchWeb},
	{name: "url_context", gemini: geminiapi.ToolTypeURLContext},
	{name: "google_maps", gemini: geminiapi.ToolTypeGoogleMaps},
	{name: "file_search", gemini: geminiapi.ToolTypeFileSearch},
	{name: "processing", gemini: geminiapi.ToolTypeMediaProcessing},
	{name: "retrieval", gemini: "RETRIEVAL", isOurs: true},
	{name: "mcp_server_tool", gemini: "MCP_SERVER_TOOL", isOurs: true},
	{name: "tool", gemini: "TOOL", isOurs: true},
}

const callSuffix, resultSuffix = "_call", "_result"

// toolOfStep returns the tool of a step, by its type. ok is false for other steps.
func toolOfStep(s *interactionsapi.Step) (tool serverTool, isCall, ok bool) {
	name, isCall := strings.CutSuffix(string(s.Type), callSuffix)
	if !isCall {
		name, ok = strings.CutSuffix(string(s.Type), resultSuffix)
		if !ok {
			return tool, false, false
		}
	}
	i := slices.IndexFunc(serverTools, func(t serverTool) bool {
		return t.name == name && (t.search == "" || t.search == jsonx.Deref(s.SearchType))
	})
	if i < 0 {
		return tool, isCall, false
	}
	return serverTools[i], isCall, true
}

// toolOfPart returns the tool of a part. A type that is not in the table has its name in lower
// case.
func toolOfPart(t geminiapi.ToolType) serverTool {
	i := slices.IndexFunc(serverTools, func(tool serverTool) bool { return tool.gemini == t })
	if i < 0 {
		return serverTool{name: strings.ToLower(string(t)), gemini: t}
	}
	return serverTools[i]
}

// HasCounterpart reports whether Gemini's format has a part for a step: its own requests may have
// the part. A step of a tool that only interactions have becomes a part with a type of ours.
func HasCounterpart(s *interactionsapi.Step) bool {
	switch s.Type {
	case interactionsapi.StepTypeUserInput, interactionsapi.StepTypeModelOutput,
		interactionsapi.StepTypeThought, interactionsapi.StepTypeFunctionCall,
		interactionsapi.StepTypeFunctionResult, interactionsapi.StepTypeCodeExecutionCall,
		interactionsapi.StepTypeCodeExecutionResult:
		return true
	}
	tool, _, ok := toolOfStep(s)
	return ok && !tool.isOurs
}

// partOfTool returns a step of a tool that Google runs as a part, and the members of the step that
// the part does not have. ok is false for other steps.
func partOfTool(s *interactionsapi.Step) (part geminiapi.Part, rest interactionsapi.Step, ok bool) {
	tool, isCall, ok := toolOfStep(s)
	if !ok {
		return part, rest, false
	}
	rest = *s
	rest.Type = ""
	if isCall {
		part.ToolCall = &geminiapi.ToolCall{ToolType: &tool.gemini, ID: s.ID, Args: s.Arguments,
			ToolName: s.Name}
		rest.ID, rest.Arguments, rest.Name = nil, nil, nil
		if jsonx.Deref(rest.SearchType) == tool.search {
			rest.SearchType = nil
		}
		return part, rest, true
	}
	part.ToolResponse = &geminiapi.ToolResponse{ToolType: &tool.gemini, ID: s.CallID,
		Response: wrapResult(s.Result)}
	rest.CallID, rest.Result = nil, nil
	return part, rest, true
}

// resultName is the member of a response that has a result which is not a list of one object.
const resultName = "result"

// wrapResult returns a result as an object: the only object of a list, or an object with the
// result.
func wrapResult(result jsontext.Value) jsontext.Value {
	if result == nil {
		return nil
	}
	if list := jsonx.Elements(result); result.Kind() == jsontext.KindBeginArray && len(list) == 1 &&
		list[0].Kind() == jsontext.KindBeginObject && jsonx.Member(list[0], resultName) == nil {
		return list[0]
	}
	return jsonx.Object(resultName, result)
}

// unwrapResult is the reverse of wrapResult.
func unwrapResult(response jsontext.Value) jsontext.Value {
	if response == nil {
		return nil
	}
	if inner := jsonx.Member(response, resultName); inner != nil && memberCount(response) == 1 {
		return inner
	}
	return slices.Concat(jsontext.Value("["), response, jsontext.Value("]"))
}

func memberCount(object jsontext.Value) (count int) {
	for range jsonx.Members(object) {
		count++
	}
	return count
}

// stepOfTool returns a toolCall or a toolResponse part as a step, and the members of the part that
// the step does not have.
func stepOfTool(part *geminiapi.Part) (s interactionsapi.Step, rest geminiapi.Part) {
	if call := part.ToolCall; call != nil {
		tool := toolOfPart(jsonx.Deref(call.ToolType))
		s = interactionsapi.Step{Type: interactionsapi.StepType(tool.name + callSuffix),
			ID: call.ID, Arguments: call.Args}
		if tool.search != "" {
			s.SearchType = new(tool.search)
		}
		left := *call
		left.ToolType, left.ID, left.Args = nil, nil, nil
		if tool.name == "mcp_server_tool" || tool.name == "tool" {
			s.Name, left.ToolName = call.ToolName, nil
		}
		if left.ToolInput != nil || left.ToolName != nil || left.Unknown != nil {
			rest.ToolCall = &left
		}
		return s, rest
	}
	response := part.ToolResponse
	tool := toolOfPart(jsonx.Deref(response.ToolType))
	s = interactionsapi.Step{Type: interactionsapi.StepType(tool.name + resultSuffix),
		CallID: response.ID, Result: unwrapResult(response.Response)}
	if response.Unknown != nil {
		rest.ToolResponse = &geminiapi.ToolResponse{Unknown: response.Unknown}
	}
	return s, rest
}

// partOfCode returns a step of code that Google runs as a part, and the members of the step that
// the part does not have. ok is false if the arguments cannot be read.
func partOfCode(s *interactionsapi.Step) (part geminiapi.Part, rest interactionsapi.Step, ok bool) {
	var arguments interactionsapi.CodeExecutionArguments
	if s.Arguments != nil && json.Unmarshal(s.Arguments, &arguments) != nil {
		return part, rest, false
	}
	code := &geminiapi.ExecutableCode{ID: s.ID, Code: arguments.Code}
	if arguments.Language != nil {
		code.Language = new(geminiapi.CodeLanguage(strings.ToUpper(string(*arguments.Language))))
	}
	rest = *s
	rest.Type, rest.ID, rest.Arguments = "", nil, arguments.Unknown
	part.ExecutableCode = code
	return part, rest, true
}

// stepOfCode is the reverse of partOfCode.
func stepOfCode(code *geminiapi.ExecutableCode) (s interactionsapi.Step, rest geminiapi.Part) {
	arguments := interactionsapi.CodeExecutionArguments{Code: code.Code}
	if code.Language != nil {
		arguments.Language = new(interactionsapi.CodeLanguage(strings.ToLower(
			string(*code.Language))))
	}
	if code.Unknown != nil {
		rest.ExecutableCode = &geminiapi.ExecutableCode{Unknown: code.Unknown}
	}
	encoded, _ := json.Marshal(arguments, jsonx.Canonical) // two strings
	return interactionsapi.Step{Type: interactionsapi.StepTypeCodeExecutionCall, ID: code.ID,
		Arguments: encoded}, rest
}

// partOfCodeResult returns the output of code as a part, and the members of the step that the part
// does not have. A list of content is joined to one text, and stays in the rest.
func partOfCodeResult(s *interactionsapi.Step) (part geminiapi.Part, rest interactionsapi.Step) {
	rest = *s
	rest.Type, rest.CallID, rest.Result = "", nil, nil
	outcome := geminiapi.CodeExecutionOutcomeOK
	if jsonx.Deref(s.IsError) {
		outcome, rest.IsError = geminiapi.CodeExecutionOutcomeFailed, nil
	}
	result := &geminiapi.CodeExecutionResult{ID: s.CallID, Outcome: &outcome}
	switch s.Result.Kind() {
	case jsontext.KindInvalid:
	case jsontext.KindString:
		result.Output = new(unquote(s.Result))
		if *result.Output == "" {
			rest.Result = s.Result // not every reader of the part keeps an empty text
		}
	default:
		rest.Result = s.Result
		var content []interactionsapi.Content
		if json.Unmarshal(s.Result, &content) == nil {
			result.Output = new(joinTexts(content))
		}
	}
	part.CodeExecutionResult = result
	return part, rest
}

// stepOfCodeResult is the reverse of partOfCodeResult. isTimeout reports that the code ran too
// long, which an interaction has no word for.
func stepOfCodeResult(r *geminiapi.CodeExecutionResult) (s interactionsapi.Step,
	rest geminiapi.Part, isTimeout bool) {
	s = interactionsapi.Step{Type: interactionsapi.StepTypeCodeExecutionResult, CallID: r.ID}
	if r.Output != nil {
		s.Result = quote(*r.Output)
	}
	left := geminiapi.CodeExecutionResult{Unknown: r.Unknown}
	switch outcome := jsonx.Deref(r.Outcome); outcome {
	case geminiapi.CodeExecutionOutcomeOK, "":
	case geminiapi.CodeExecutionOutcomeFailed:
		s.IsError = new(true)
	case geminiapi.CodeExecutionOutcomeDeadlineExceeded:
		s.IsError, isTimeout = new(true), true
	default:
		left.Outcome = r.Outcome
	}
	if left.Outcome != nil || left.Unknown != nil {
		rest.CodeExecutionResult = &left
	}
	return s, rest, isTimeout
}

func joinTexts(content []interactionsapi.Content) string {
	var out strings.Builder
	for i := range content {
		out.WriteString(jsonx.Deref(content[i].Text))
	}
	return out.String()
}

// unquote returns the text of a JSON string.
func unquote(value jsontext.Value) string {
	text, _ := jsontext.AppendUnquote(nil, value) // it replaces half a surrogate pair
	return string(text)
}

// quote returns a text as a JSON string.
func quote(text string) jsontext.Value {
	value, _ := jsontext.AppendQuote(nil, text) // it replaces invalid UTF-8
	return value
}
