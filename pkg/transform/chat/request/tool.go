package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
)

// setTools declares the functions in one tool, and adds the server tools after it.
func (c *converter) setTools() error {
	declarations, err := c.declarations()
	if err != nil {
		return err
	}
	functions.Set(&c.Request, declarations)
	if c.in.WebSearchOptions != nil {
		c.setWebSearch(c.in.WebSearchOptions)
	}
	functions.AddNative(&c.Request)
	return nil
}

// declarations returns the functions of tools, then the functions of the older member functions.
func (c *converter) declarations() ([]geminiapi.FunctionDeclaration, error) {
	count := len(c.in.Tools) + len(c.in.Functions)
	if count == 0 {
		return nil, nil
	}
	out := make([]geminiapi.FunctionDeclaration, 0, count)
	c.declared = make([]int, 0, count)
	var root codec.Location
	tools, older := root.Member("tools"), root.Member("functions")
	// Package reverse/request also declares functions in extra_body, in Gemini's form, if JSON
	// Schema cannot express their schema exactly.
	native := functions.Names(c.NativeTools)
	for i := range c.in.Tools {
		tool := tools.Element(i)
		function, err := c.functionOf(&c.in.Tools[i], &tool)
		if err != nil {
			return nil, err
		}
		if function != nil && native[functions.Name(function.Name)] {
			c.Report.Add(report.Approximated, tool.Pointer(),
				"extra_body declares it again, and that declaration is used")
		} else if function != nil {
			at := tool.Member("function")
			c.declared = append(c.declared, i)
			out = append(out, geminiapi.FunctionDeclaration{})
			if err := c.declare(function, &at, &out[len(out)-1]); err != nil {
				return nil, err
			}
		}
	}
	for i := range c.in.Functions {
		at := older.Element(i)
		c.declared = append(c.declared, len(c.in.Tools)+i)
		out = append(out, geminiapi.FunctionDeclaration{})
		if err := c.declare(&c.in.Functions[i], &at, &out[len(out)-1]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// functionOf returns the function of a tool. If the tool is not a function, it returns nil and
// reports the tool.
func (c *converter) functionOf(tool *openaiapi.Tool, at *codec.Location) (*openaiapi.FunctionObject,
	error) {
	switch {
	case tool.Type == openaiapi.ToolTypeCustom:
		c.Report.Add(report.Lost, at.Pointer(), "Gemini's functions accept only JSON arguments")
		return nil, nil
	case tool.Type != openaiapi.ToolTypeFunction && tool.Type != "":
		c.Report.Add(report.Lost, at.Pointer(), "Gemini has no tools of this type")
		return nil, nil
	case tool.Function == nil:
		return nil, &refusal.Error{Pointer: at.Pointer() + "/function",
			Problem: "must be set, with the name of the function"}
	}
	if tool.Custom != nil {
		c.Report.Add(report.Lost, at.Pointer()+"/custom", "the tool is a function")
	}
	if tool.Unknown != nil {
		c.LoseUnknown(at.Pointer(), tool.Unknown)
	}
	return tool.Function, nil
}

func (c *converter) declare(function *openaiapi.FunctionObject, at *codec.Location,
	out *geminiapi.FunctionDeclaration) error {
	if function.Name == "" {
		return &refusal.Error{Pointer: at.Pointer() + "/name",
			Problem: "must be set, with the name of the function"}
	}
	declared := functions.Function{
		Name: functionName(&function.Name), Description: function.Description,
		Strict:     function.Strict,
		Parameters: function.Parameters, ParametersMember: "/parameters",
	}
	if err := functions.Declare(&c.Request, &declared, &c.choice, at, out); err != nil {
		return err
	}
	if function.Unknown != nil {
		c.LoseUnknown(at.Pointer(), function.Unknown)
	}
	return nil
}

// setWebSearch enables Google Search, as Google's own endpoint does.
func (c *converter) setWebSearch(options *openaiapi.WebSearchOptions) {
	functions.SetSearch(&c.Request)
	const pointer = "/web_search_options"
	if options.SearchContextSize != nil {
		c.Report.Add(report.Lost, pointer+"/search_context_size",
			"Gemini decides how much it reads")
	}
	if options.UserLocation != nil {
		c.Report.Add(report.Lost, pointer+"/user_location",
			"Gemini accepts only latitude and longitude for a place")
	}
	c.LoseUnknown(pointer, options.Unknown)
}
