package request

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

// readToolChoice reads which functions to call. It runs before the functions are declared, because
// the choice decides how strictly calls follow their schemas.
func (c *converter) readToolChoice() error {
	var err error
	if mode, ok := c.in.ToolChoice.AsString(); ok {
		c.choice, err = functions.ChoiceOfMode("/tool_choice", mode)
	} else if choice, ok := c.in.ToolChoice.AsValue(); ok {
		c.choice, err = c.choiceOf(&choice)
	}
	return err
}

// setToolChoice sets whether and which functions to call.
func (c *converter) setToolChoice() error { return functions.SetChoice(&c.Request, &c.choice) }

// choiceOf reads a choice by its type.
func (c *converter) choiceOf(choice *openaiapi.ResponseToolChoice) (functions.Choice, error) {
	const pointer = "/tool_choice"
	if choice.Unknown != nil {
		c.LoseUnknown(pointer, choice.Unknown)
	}
	switch kind := choice.Type; kind {
	case openaiapi.ResponseToolChoiceTypeFunction, openaiapi.ResponseToolChoiceTypeCustom,
		"tool", "": // as the Messages API names it, and a name alone
		return c.choiceOfFunction(choice)
	case openaiapi.ResponseToolChoiceTypeAllowedTools:
		c.loseChoiceMembers(choice, "mode", "tools")
		return c.choiceOfAllowed(choice)
	default:
		if _, isMode := functions.CallingMode(string(kind)); isMode { // as in the Messages API
			c.loseChoiceMembers(choice)
			return functions.ChoiceOfMode(pointer+"/type", string(kind))
		}
		c.Report.Add(report.Lost, pointer, functions.DetailNotForced)
		return functions.Choice{}, nil
	}
}

// loseChoiceMembers reports the members of a choice that its type does not have.
func (c *converter) loseChoiceMembers(choice *openaiapi.ResponseToolChoice, used ...string) {
	visitMembersOfResponseToolChoice(choice, func(name string) {
		if name != "type" && !slices.Contains(used, name) {
			c.Report.Add(report.Lost, "/tool_choice/"+name, "the choice has another type")
		}
	})
}

// choiceOfFunction reads the choice of one function or custom tool. Its name is next to the type,
// or nested as in chat completions.
func (c *converter) choiceOfFunction(choice *openaiapi.ResponseToolChoice) (functions.Choice,
	error) {
	const pointer = "/tool_choice"
	tool, at := toolname.Tool{Name: choice.Name}, pointer+"/name"
	if choice.Type == openaiapi.ResponseToolChoiceTypeCustom {
		tool.Kind = toolname.Custom
	}
	if nested := choice.Function; nested != nil && tool.Name == "" {
		tool.Name, at = nested.Name, pointer+"/function/name"
		c.LoseUnknown(pointer+"/function", nested.Unknown)
		c.loseChoiceMembers(choice, "function")
	} else {
		c.loseChoiceMembers(choice, "name")
	}
	if tool.Name == "" {
		return functions.Choice{}, refuse(at, "must be set, with the name of a function")
	}
	return functions.ChoiceOfName(pointer, at, c.names.Chosen(tool)), nil
}

// choiceOfAllowed limits the calls to some functions. It reports server tools in the list. If the
// list has no function, no function may be called.
func (c *converter) choiceOfAllowed(choice *openaiapi.ResponseToolChoice) (functions.Choice,
	error) {
	const pointer = "/tool_choice"
	if len(choice.Tools) == 0 {
		return functions.Choice{}, refuse(pointer+"/tools", "must name a tool")
	}
	out := functions.LimitedChoice(pointer)
	for i := range choice.Tools {
		c.allow(pointer+"/tools/"+strconv.Itoa(i), &choice.Tools[i], &out)
	}
	err := out.SetMode(&c.Request, pointer+"/mode", string(choice.Mode))
	return out, err
}

// allow adds a tool to the functions that may be called.
func (c *converter) allow(pointer string, tool *openaiapi.ResponseTool, out *functions.Choice) {
	c.LoseUnknown(pointer, tool.Unknown)
	named := toolname.ToolOf(tool, "")
	if named.Name == "" {
		c.Report.Add(report.Lost, pointer, "only function calls can be limited")
		return
	}
	at := pointer // of a tool_search, which has no name
	if tool.Name != "" {
		at += "/name"
	} else if tool.Function != nil {
		at += "/function/name"
	}
	visitMembersOfResponseTool(tool, func(name string) {
		if name != "type" && name != "name" && (name != "function" || tool.Name != "") {
			c.Report.Add(report.Lost, pointer+"/"+name,
				"only the name is used here; tools declares the function")
		}
	})
	if f := tool.Function; f != nil && tool.Name == "" &&
		(f.Description != nil || f.Parameters != nil || f.Strict != nil || f.Unknown != nil) {
		c.Report.Add(report.Lost, pointer+"/function",
			"only the name is used here; tools declares the function")
	}
	out.Allow(at, c.names.Chosen(named))
}
