package request

import (
	"cmp"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readToolChoice reads which functions to call. It runs before the functions are declared, because
// the choice decides how strictly calls follow their schemas.
func (c *converter) readToolChoice() error {
	var err error
	c.choice, err = c.toolChoice()
	return err
}

// setToolChoice sets whether and which functions to call.
func (c *converter) setToolChoice() error {
	c.choice.HasTools = len(c.in.Tools) > 0
	return functions.SetChoice(&c.Request, &c.choice)
}

// toolChoice reads tool_choice, or the older function_call, which counts only without tool_choice.
func (c *converter) toolChoice() (functions.Choice, error) {
	if c.in.ToolChoice.IsZero() {
		return c.olderChoice()
	}
	if !c.in.FunctionCall.IsZero() {
		c.Report.Add(report.Lost, "/function_call", "tool_choice is used instead")
	}
	const pointer = "/tool_choice"
	if mode, ok := c.in.ToolChoice.AsString(); ok {
		return functions.ChoiceOfMode(pointer, mode)
	}
	choice, _ := c.in.ToolChoice.AsValue()
	return c.choiceOfType(&choice)
}

// choiceOfType reads a choice by its type. Without a type, its payload decides. The type can be a
// mode, as in the Messages API. The function's name can be next to the type, as in the Responses
// API.
func (c *converter) choiceOfType(choice *openaiapi.ToolChoice) (functions.Choice, error) {
	const pointer = "/tool_choice"
	kind := typeOfChoice(choice)
	c.loseOtherChoices(choice, kind)
	if name, ok := nameNextToType(choice.Unknown, kind); ok && choice.Function == nil {
		c.LoseUnknown(pointer, choice.Unknown, "name")
		return functions.ChoiceOfName(pointer, pointer+"/name", functions.Name(name)), nil
	}
	if allowed := allowedNextToType(choice, kind); allowed != nil {
		return c.choiceOfAllowed(pointer, allowed)
	}
	c.LoseUnknown(pointer, choice.Unknown)
	switch kind {
	case openaiapi.ToolChoiceTypeFunction:
		return c.choiceOfFunction(choice)
	case openaiapi.ToolChoiceTypeAllowedTools:
		return c.choiceOfAllowed(pointer+"/allowed_tools", choice.AllowedTools)
	case openaiapi.ToolChoiceTypeCustom:
		return functions.Choice{},
			&refusal.Error{Pointer: pointer,
				Problem: "names a custom tool, which Gemini does not have; name a function"}
	}
	if _, ok := functions.CallingMode(string(kind)); ok {
		return functions.ChoiceOfMode(pointer+"/type", string(kind))
	}
	return functions.Choice{},
		&refusal.Error{Pointer: pointer + "/type",
			Problem: "must be function, allowed_tools or a mode"}
}

// typeOfChoice returns the type of a choice. Without a type, its payload decides.
func typeOfChoice(choice *openaiapi.ToolChoice) openaiapi.ToolChoiceType {
	kind := choice.Type
	if kind == "" {
		visitMembersOfToolChoice(choice, func(name string) {
			if held := openaiapi.ToolChoiceType(name); held.Valid() {
				kind = cmp.Or(kind, held)
			}
		})
	}
	return kind
}

// nameNextToType returns the name of a function from the unknown members of a choice or a tool.
func nameNextToType(unknown jsontext.Value, kind openaiapi.ToolChoiceType) (name string, ok bool) {
	switch kind {
	case "", "tool", openaiapi.ToolChoiceTypeFunction:
		value := jsonx.Member(unknown, "name")
		return name, value.Kind() == jsontext.KindString && json.Unmarshal(value, &name) == nil &&
			name != ""
	}
	return "", false
}

// allowedNextToType returns the tools and the mode that the choice itself has, as in the Responses
// API. It returns nil if the choice has none.
func allowedNextToType(choice *openaiapi.ToolChoice,
	kind openaiapi.ToolChoiceType) *openaiapi.AllowedTools {
	if kind != "" && kind != openaiapi.ToolChoiceTypeAllowedTools || choice.AllowedTools != nil {
		return nil
	}
	var allowed openaiapi.AllowedTools
	if jsonx.Member(choice.Unknown, "tools").Kind() != jsontext.KindBeginArray ||
		json.Unmarshal(choice.Unknown, &allowed) != nil {
		return nil
	}
	return &allowed
}

// loseOtherChoices reports the members of a choice that belong to other types.
func (c *converter) loseOtherChoices(choice *openaiapi.ToolChoice, kind openaiapi.ToolChoiceType) {
	visitMembersOfToolChoice(choice, func(name string) {
		if name != "type" && name != string(kind) {
			c.Report.Add(report.Lost, "/tool_choice/"+name, "the choice has another type")
		}
	})
}

// olderChoice reads function_call.
func (c *converter) olderChoice() (functions.Choice, error) {
	const pointer = "/function_call"
	if mode, ok := c.in.FunctionCall.AsString(); ok {
		return functions.ChoiceOfMode(pointer, mode)
	}
	if named, ok := c.in.FunctionCall.AsValue(); ok {
		c.LoseUnknown(pointer, named.Unknown)
		return functions.ChoiceOfName(pointer, pointer+"/name", functions.Name(named.Name)), nil
	}
	return functions.Choice{}, nil
}

func (c *converter) choiceOfFunction(choice *openaiapi.ToolChoice) (functions.Choice, error) {
	const pointer = "/tool_choice/function"
	if choice.Function == nil {
		return functions.Choice{},
			&refusal.Error{Pointer: pointer, Problem: "must be set, with the name of the function"}
	}
	c.LoseUnknown(pointer, choice.Function.Unknown)
	name := functions.Name(choice.Function.Name)
	return functions.ChoiceOfName("/tool_choice", pointer+"/name", name), nil
}

// choiceOfAllowed limits the calls to some functions. It reports other tools in the list. If the
// list has no function, no function may be called.
func (c *converter) choiceOfAllowed(pointer string,
	allowed *openaiapi.AllowedTools) (functions.Choice, error) {
	if allowed == nil {
		return functions.Choice{},
			&refusal.Error{Pointer: pointer, Problem: "must be set, with a mode and tools"}
	}
	if len(allowed.Tools) == 0 {
		return functions.Choice{},
			&refusal.Error{Pointer: pointer + "/tools", Problem: "must name a tool"}
	}
	c.LoseUnknown(pointer, allowed.Unknown)
	out := functions.LimitedChoice("/tool_choice")
	for i := range allowed.Tools {
		c.allow(pointer+"/tools/"+strconv.Itoa(i), &allowed.Tools[i], &out)
	}
	err := out.SetMode(&c.Request, pointer+"/mode", string(allowed.Mode))
	return out, err
}

func (c *converter) allow(pointer string, tool *openaiapi.Tool, out *functions.Choice) {
	name, isNextTo := nameNextToType(tool.Unknown, openaiapi.ToolChoiceType(tool.Type))
	at := pointer + "/name"
	switch {
	case isNextTo && tool.Function == nil:
		c.LoseUnknown(pointer, tool.Unknown, "name")
	case tool.Function == nil, tool.Type != openaiapi.ToolTypeFunction && tool.Type != "":
		c.Report.Add(report.Lost, pointer, "only functions can be called")
		return
	default:
		c.LoseUnknown(pointer, tool.Unknown)
		name, at = tool.Function.Name, pointer+"/function/name"
		if f := tool.Function; f.Description != nil || f.Parameters != nil || f.Strict != nil ||
			f.Unknown != nil {
			c.Report.Add(report.Lost, pointer+"/function",
				"only the name is used here; tools declares the function")
		}
	}
	if tool.Custom != nil {
		c.Report.Add(report.Lost, pointer+"/custom", "the tool is a function")
	}
	out.Allow(at, functions.Name(name))
}
