package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// readToolChoice reads whether and which tools are to be called.
func (c *converter) readToolChoice() error {
	in := c.in.ToolChoice
	if in == nil {
		return nil
	}
	const pointer = "/tool_choice"
	if optional.Value(in.DisableParallelToolUse) {
		c.Report.Add(transform.Lost, pointer+"/disable_parallel_tool_use", "Gemini may always call several functions at once")
	}
	c.LoseUnknown(pointer, in.Unknown)
	if in.Type != anthropicapi.ToolChoiceTypeTool {
		c.choice = functions.ChoiceOfMode(&c.Request, pointer+"/type", string(in.Type))
		c.loseChosenName()
		return nil
	}
	name := optional.Value(in.Name)
	if c.isNoFunction(name) {
		c.Report.Add(transform.Lost, pointer, detailNoForce)
		return nil
	}
	c.history.find(name) // so that it is declared, though it may not be loaded yet
	c.choice = functions.ChoiceOfName(pointer, pointer+"/name", functionName(name))
	return nil
}

// loseChosenName reports a name beside a type that names no tool.
func (c *converter) loseChosenName() {
	if c.in.ToolChoice.Name != nil {
		c.Report.Add(transform.Lost, "/tool_choice/name", "only the type tool has a name")
	}
}

// isNoFunction reports whether a tool of a name is declared otherwise than as a function, or left out.
func (c *converter) isNoFunction(name string) bool {
	for i := range c.in.Tools {
		if tool := &c.in.Tools[i]; tool.Name == name {
			return !isFunction(tool)
		}
	}
	return false
}

// setToolChoice sets whether and which functions are called. Anthropic also takes a choice that asks for a call where all
// tools are its own, such as web search.
func (c *converter) setToolChoice() error {
	hasOthers := len(c.in.Tools) > 0 && !c.HasFunctions()
	if hasOthers && c.choice.Config != nil && optional.Value(c.choice.Config.Mode) == geminiapi.FunctionCallingModeAny {
		c.Report.Add(transform.Lost, c.choice.Pointer, detailNoForce)
		c.choice = functions.Choice{}
	}
	return functions.SetChoice(&c.Request, &c.choice)
}

const detailNoForce = "Gemini decides itself when it uses a tool that is no function"
