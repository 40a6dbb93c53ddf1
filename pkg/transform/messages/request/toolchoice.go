package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

const toolChoiceAt = "/tool_choice"

// readToolChoice reads whether and which tools to call. It runs before the functions are declared,
// because the choice decides how strictly calls follow their schemas.
func (c *converter) readToolChoice() error {
	in := c.in.ToolChoice
	if in == nil {
		return nil
	}
	if jsonx.Deref(in.DisableParallelToolUse) {
		c.Report.Add(report.Lost, toolChoiceAt+"/disable_parallel_tool_use",
			"Gemini can always call several functions at once")
	}
	c.LoseUnknown(toolChoiceAt, in.Unknown)
	const typeAt = toolChoiceAt + "/type"
	if in.Type == anthropicapi.ToolChoiceTypeTool {
		c.chooseTool(jsonx.Deref(in.Name))
		return nil
	}
	if _, isMode := functions.CallingMode(string(in.Type)); !isMode {
		return &refusal.Error{Pointer: typeAt, Problem: "must be auto, any, tool or none"}
	}
	if in.Name != nil {
		c.Report.Add(report.Lost, toolChoiceAt+"/name", "only the type tool has a name")
	}
	var err error
	c.choice, err = functions.ChoiceOfMode(typeAt, string(in.Type))
	return err
}

// chooseTool sets the choice of one tool, which must be a function.
func (c *converter) chooseTool(name string) {
	if c.isNoFunction(name) {
		c.Report.Add(report.Lost, toolChoiceAt, functions.DetailNotForced)
		return
	}
	c.choice = functions.ChoiceOfName(toolChoiceAt, toolChoiceAt+"/name", functions.Name(name))
}

// isChosen reports whether the choice names a tool.
func (c *converter) isChosen(name string) bool {
	choice := jsonx.Deref(c.in.ToolChoice)
	return choice.Type == anthropicapi.ToolChoiceTypeTool && jsonx.Deref(choice.Name) == name
}

// isNoFunction reports whether a tool is omitted, or declared but not as a function.
func (c *converter) isNoFunction(name string) bool {
	for i := range c.in.Tools {
		if tool := &c.in.Tools[i]; tool.Name == name {
			return !isFunction(tool)
		}
	}
	return false
}

// setToolChoice sets whether and which functions to call.
func (c *converter) setToolChoice() error {
	c.choice.HasTools = len(c.in.Tools) > 0
	return functions.SetChoice(&c.Request, &c.choice)
}
