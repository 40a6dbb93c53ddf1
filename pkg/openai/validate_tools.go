package openai

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// tools checks what may be called, and the choice of it.
func (c *requestCheck) tools(r *openaiapi.CreateChatCompletionRequest) {
	for i := range r.Tools {
		c.tool("/tools/"+strconv.Itoa(i), &r.Tools[i])
	}
	if r.Functions != nil && (len(r.Functions) < 1 || len(r.Functions) > 128) {
		c.add("/functions", "length", "must have 1 to 128 elements")
	}
	for i := range r.Functions {
		c.function("/functions/"+strconv.Itoa(i), &r.Functions[i])
	}
	if mode, ok := r.ToolChoice.AsString(); ok {
		c.known("/tool_choice", openaiapi.ToolChoiceMode(mode).Valid(), "none, auto, required or validated")
	}
	if choice, ok := r.ToolChoice.AsValue(); ok {
		c.toolChoice("/tool_choice", &choice)
	}
	if mode, ok := r.FunctionCall.AsString(); ok {
		c.known("/function_call", openaiapi.FunctionCallMode(mode).Valid(), "none or auto")
	}
	if named, ok := r.FunctionCall.AsValue(); ok {
		c.require("/function_call/name", named.Name != "")
	}
}

func (c *requestCheck) tool(pointer string, tool *openaiapi.Tool) {
	c.known(pointer+"/type", tool.Type.Valid(), "function or custom")
	switch tool.Type {
	case openaiapi.ToolTypeFunction:
		if c.require(pointer+"/function", tool.Function != nil); tool.Function != nil {
			c.function(pointer+"/function", tool.Function)
		}
	case openaiapi.ToolTypeCustom:
		if c.require(pointer+"/custom", tool.Custom != nil); tool.Custom != nil {
			c.customTool(pointer+"/custom", tool.Custom)
		}
	}
}

func (c *requestCheck) function(pointer string, function *openaiapi.FunctionObject) {
	c.name(pointer+"/name", function.Name)
	c.object(pointer+"/parameters", function.Parameters)
}

func (c *requestCheck) customTool(pointer string, tool *openaiapi.CustomTool) {
	c.require(pointer+"/name", tool.Name != "")
	if tool.Format == nil {
		return
	}
	c.known(pointer+"/format/type", tool.Format.Type.Valid(), "text or grammar")
	if tool.Format.Type != openaiapi.CustomToolFormatTypeGrammar {
		return
	}
	grammar := tool.Format.Grammar
	if grammar == nil {
		c.require(pointer+"/format/grammar", false)
		return
	}
	c.require(pointer+"/format/grammar/definition", grammar.Definition != "")
	c.known(pointer+"/format/grammar/syntax", grammar.Syntax.Valid(), "lark or regex")
}

func (c *requestCheck) toolChoice(pointer string, choice *openaiapi.ToolChoice) {
	c.known(pointer+"/type", choice.Type.Valid(), "function, custom or allowed_tools")
	switch choice.Type {
	case openaiapi.ToolChoiceTypeFunction:
		c.require(pointer+"/function", choice.Function != nil)
		c.require(pointer+"/function/name", choice.Function == nil || choice.Function.Name != "")
	case openaiapi.ToolChoiceTypeCustom:
		c.require(pointer+"/custom", choice.Custom != nil)
		c.require(pointer+"/custom/name", choice.Custom == nil || choice.Custom.Name != "")
	case openaiapi.ToolChoiceTypeAllowedTools:
		if c.require(pointer+"/allowed_tools", choice.AllowedTools != nil); choice.AllowedTools != nil {
			c.allowedTools(pointer+"/allowed_tools", choice.AllowedTools)
		}
	}
}

func (c *requestCheck) allowedTools(pointer string, allowed *openaiapi.AllowedTools) {
	c.known(pointer+"/mode", allowed.Mode.Valid(), "auto or required")
	c.require(pointer+"/tools", allowed.Tools != nil)
	for i := range allowed.Tools {
		c.tool(pointer+"/tools/"+strconv.Itoa(i), &allowed.Tools[i])
	}
}
