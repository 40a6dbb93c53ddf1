package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

const toolChoiceAt = generationAt + "/tool_choice"

// readToolChoice reads whether and which functions to call. It runs before the functions are
// declared, because the choice decides how strictly calls follow their schemas.
func (c *converter) readToolChoice() error {
	in := c.generation.ToolChoice
	if mode, ok := in.AsString(); ok {
		calling, err := callingMode(toolChoiceAt, mode)
		if err != nil {
			return err
		}
		c.choice = functions.Choice{Pointer: toolChoiceAt,
			Config: &geminiapi.FunctionCallingConfig{Mode: &calling}}
	} else if choice, ok := in.AsValue(); ok {
		if err := c.limitTools(&choice); err != nil {
			return err
		}
	}
	c.choice.HasTools = len(c.in.Tools) > 0
	return nil
}

// setToolChoice sets whether and which functions to call.
func (c *converter) setToolChoice() error { return functions.SetChoice(&c.Request, &c.choice) }

// callingMode returns Gemini's name of a mode.
func callingMode(pointer, mode string) (geminiapi.FunctionCallingMode, error) {
	if m := interactionsapi.ToolChoiceMode(strings.ToLower(mode)); !m.Valid() {
		return "", refuse(pointer, "must be auto, any, none or validated")
	}
	return geminiapi.FunctionCallingMode(strings.ToUpper(mode)), nil
}

// limitTools reads a choice that limits calls to some functions. Gemini does that only in the modes
// ANY and VALIDATED. VALIDATED lets the model choose between text and calls, like auto.
func (c *converter) limitTools(choice *interactionsapi.ToolChoiceConfig) error {
	c.LoseUnknown(toolChoiceAt, choice.Unknown)
	allowed := choice.AllowedTools
	if allowed == nil {
		return nil
	}
	const at = toolChoiceAt + "/allowed_tools"
	c.LoseUnknown(at, allowed.Unknown)
	mode := geminiapi.FunctionCallingModeAuto
	if allowed.Mode != nil {
		var err error
		if mode, err = callingMode(at+"/mode", string(*allowed.Mode)); err != nil {
			return err
		}
	}
	c.choice = functions.Choice{Pointer: at, Config: &geminiapi.FunctionCallingConfig{Mode: &mode}}
	if len(allowed.Tools) == 0 {
		return nil
	}
	if mode == geminiapi.FunctionCallingModeNone {
		c.Report.Add(report.Approximated, at+"/tools", "no effect, because no tool may be called")
		return nil
	}
	c.allow(allowed.Tools, at)
	if len(c.choice.Config.AllowedFunctionNames) == 0 { // only tools that Google runs
		c.choice.Config.Mode = new(geminiapi.FunctionCallingModeNone)
		if mode == geminiapi.FunctionCallingModeAny {
			c.Report.Add(report.Lost, at+"/mode", functions.DetailNotForced)
		}
	} else if mode == geminiapi.FunctionCallingModeAuto {
		c.choice.Config.Mode = new(geminiapi.FunctionCallingModeValidated)
		c.Report.Add(report.Approximated, at,
			"converted to a mode in which calls also follow their schemas, "+
				"because Gemini limits calls in no other mode")
	}
	return nil
}

// allow adds the names of functions that may be called. Functions of an MCP server and of the use
// of a computer are not declared, so that their names are not checked.
func (c *converter) allow(names []string, at string) {
	isUnchecked := slices.ContainsFunc(c.in.Tools, func(t interactionsapi.Tool) bool {
		return t.Type == interactionsapi.ToolTypeMCPServer ||
			t.Type == interactionsapi.ToolTypeComputerUse
	})
	for i, name := range names {
		pointer := at + "/tools/" + itoa(i)
		if c.isTypeOfGoogle(name) {
			c.Report.Add(report.Lost, pointer, "only function calls can be limited")
			continue
		}
		c.choice.Allow(pointer, name)
	}
	if isUnchecked {
		c.choice.Names = nil
	}
}

// isTypeOfGoogle reports whether a name is the type of a tool that Google runs, and of no function.
func (c *converter) isTypeOfGoogle(name string) bool {
	_, isType := toolsOfGoogle[interactionsapi.ToolType(name)]
	return isType && !slices.ContainsFunc(c.in.Tools, func(t interactionsapi.Tool) bool {
		return t.Type == interactionsapi.ToolTypeFunction && jsonx.Deref(t.Name) == name
	})
}
