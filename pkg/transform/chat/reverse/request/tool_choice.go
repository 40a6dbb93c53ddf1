package request

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

const callingPointer = "/toolConfig/functionCallingConfig"

// setToolChoice sets which functions to call. A request without functions has no tool choice.
func (c *converter) setToolChoice() error {
	if c.rest.ToolConfig == nil {
		return nil
	}
	config := *c.rest.ToolConfig
	if calling := config.FunctionCallingConfig; calling != nil && len(c.out.Tools) > 0 {
		config.FunctionCallingConfig = c.setCalling(*calling)
	}
	c.rest.ToolConfig = &config
	if config.IsEmpty() {
		c.rest.ToolConfig = nil
	}
	return nil
}

// setCalling sets the tool choice and returns what it does not express, or nil.
func (c *converter) setCalling(calling geminiapi.FunctionCallingConfig) *geminiapi.FunctionCallingConfig {
	mode := jsonx.Deref(calling.Mode)
	choice, known := toolChoices[mode]
	names := calling.AllowedFunctionNames
	switch {
	case !known && !c.plain:
		return &calling
	case !known:
		return c.callingRest(calling)
	case c.plain && mode == geminiapi.FunctionCallingModeValidated:
		choice = openaiapi.ToolChoiceModeAuto
		c.report.Add(report.Approximated, callingPointer+"/mode",
			"converted to auto, because OpenAI does not check that calls follow their schemas")
	case len(names) > 0 && mode == geminiapi.FunctionCallingModeAuto && !c.plain:
		return &calling // no tool choice converts back to it
	}
	c.out.ToolChoice = wiretype.StringOf[openaiapi.ToolChoice](string(choice))
	rest := calling
	rest.Mode = nil
	if len(names) > 0 && mode != geminiapi.FunctionCallingModeNone && c.allow(choice, names) {
		rest.AllowedFunctionNames = nil
	}
	if !c.plain && !rest.IsEmpty() {
		return &calling // complete, because it takes precedence over the tool choice
	}
	return c.callingRest(rest)
}

// callingRest returns what a tool choice does not express, or nil. OpenAI's servers stream
// arguments in any case.
func (c *converter) callingRest(rest geminiapi.FunctionCallingConfig) *geminiapi.FunctionCallingConfig {
	if rest.StreamFunctionCallArguments != nil && c.plain {
		c.report.Add(report.Approximated, callingPointer+"/streamFunctionCallArguments",
			"omitted, because servers decide how they stream arguments")
		rest.StreamFunctionCallArguments = nil
	}
	if rest.IsEmpty() {
		return nil
	}
	return &rest
}

// toolChoices maps modes to OpenAI's names. Only gemwire knows the last one. It is never written
// to.
var toolChoices = map[geminiapi.FunctionCallingMode]openaiapi.ToolChoiceMode{
	geminiapi.FunctionCallingModeAuto:      openaiapi.ToolChoiceModeAuto,
	geminiapi.FunctionCallingModeNone:      openaiapi.ToolChoiceModeNone,
	geminiapi.FunctionCallingModeAny:       openaiapi.ToolChoiceModeRequired,
	geminiapi.FunctionCallingModeValidated: openaiapi.ToolChoiceModeValidated,
}

// allow limits the calls to some functions, and reports whether OpenAI can express the limit.
func (c *converter) allow(choice openaiapi.ToolChoiceMode, names []string) bool {
	tools := make([]openaiapi.Tool, 0, len(names))
	for i, name := range names {
		sent := c.nameOf(name, callingPointer+"/allowedFunctionNames/"+strconv.Itoa(i))
		if !c.declares(sent) {
			return false
		}
		tools = append(tools,
			openaiapi.Tool{Type: openaiapi.ToolTypeFunction,
				Function: &openaiapi.FunctionObject{Name: sent}})
	}
	switch {
	case len(names) == 1 && choice == openaiapi.ToolChoiceModeRequired:
		c.out.ToolChoice = wiretype.ValueOf(
			openaiapi.ToolChoice{Type: openaiapi.ToolChoiceTypeFunction,
				Function: &openaiapi.NamedTool{Name: tools[0].Function.Name}})
	case c.filtered: // nothing else is declared
	default:
		mode := openaiapi.AllowedToolsModeAuto
		if choice == openaiapi.ToolChoiceModeRequired {
			mode = openaiapi.AllowedToolsModeRequired
		}
		c.out.ToolChoice = wiretype.ValueOf(openaiapi.ToolChoice{
			Type:         openaiapi.ToolChoiceTypeAllowedTools,
			AllowedTools: &openaiapi.AllowedTools{Mode: mode, Tools: tools},
		})
	}
	return true
}

// declares reports whether a function is declared under the sent name.
func (c *converter) declares(sent string) bool {
	return slices.ContainsFunc(c.out.Tools,
		func(t openaiapi.Tool) bool { return t.Function.Name == sent })
}
