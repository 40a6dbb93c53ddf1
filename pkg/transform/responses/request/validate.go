package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

// avoidRefusals changes settings that the model is known to refuse.
func (c *converter) avoidRefusals() error { return c.AvoidRefusals(c.searches...) }

// validate returns an error if Gemini is known to refuse the result.
func (c *converter) validate() error {
	c.Finish()
	if c.unvalidated {
		return nil
	}
	return c.Validate(c.modelName(),
		&target.Places{Content: c.history.Origin, Function: c.functionOrigin})
}

// modelName returns the model that will answer.
func (c *converter) modelName() string { return cmp.Or(c.model, jsonx.Deref(c.in.Model)) }

// functionOrigin returns the pointer of the tool that a function was made from, or "".
func (c *converter) functionOrigin(_ int, name string) string {
	var root codec.Location
	tools, input := root.Member("tools"), root.Member("input")
	tool := c.names.Tool(name)
	if found := locationOf(tool, "", c.in.Tools, &tools); found != "" {
		return found
	}
	for i := range c.history.items {
		item := input.Element(i)
		list := item.Member("tools")
		if found := locationOf(tool, "", c.history.items[i].Tools, &list); found != "" {
			return found
		}
	}
	return ""
}

// locationOf returns the pointer of a tool in the list of a namespace, or "" if it is not there.
func locationOf(tool toolname.Tool, namespace string, list []openaiapi.ResponseTool,
	at *codec.Location) string {
	for i := range list {
		at := at.Element(i)
		if list[i].Type == openaiapi.ResponseToolTypeNamespace {
			if namespace != "" || list[i].Name == "" {
				continue
			}
			below := at.Member("tools")
			if found := locationOf(tool, list[i].Name, list[i].Tools, &below); found != "" {
				return found
			}
			continue
		}
		if toolname.ToolOf(&list[i], namespace) == tool {
			return at.Pointer()
		}
	}
	return ""
}

// origins maps members of Gemini's request to the members of OpenAI's request that set them. It is
// never written to.
var origins = target.Origins{
	Contents: "/input",
	Tools:    "/tools",
	Settings: map[string]string{
		"logprobs":           "/top_logprobs",
		"maxOutputTokens":    "/max_output_tokens",
		"responseFormat":     "/text/format",
		"responseJsonSchema": "/text/format/schema",
		"responseLogprobs":   "/include",
		"responseMimeType":   "/text/format",
		"responseModalities": "/tools",
		"responseSchema":     "/text/format/schema",
		"temperature":        "/temperature",
		"thinkingConfig":     "/reasoning",
		"toolConfig":         "/tool_choice",
		"topP":               "/top_p",
		"model":              "/model",
		"serviceTier":        "/service_tier",
	},
}
