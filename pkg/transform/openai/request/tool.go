package request

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/internal/wire"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// setTools declares the functions, all in one tool, and after it the tools that the server runs.
func (c *converter) setTools() error {
	declarations, err := c.declarations()
	if err != nil {
		return err
	}
	if len(declarations) > 0 && !c.joinDeclarations(declarations) {
		c.out.Tools = append(c.out.Tools, geminiapi.Tool{FunctionDeclarations: declarations})
	}
	if c.in.WebSearchOptions != nil {
		c.setWebSearch(c.in.WebSearchOptions)
	}
	c.out.Tools = append(c.out.Tools, c.nativeTools...)
	c.showServerCalls()
	return nil
}

// joinDeclarations puts the functions in front of those that extra_body declares, and reports whether
// there are any: models since 2.5 have been seen to call only the functions of one tool
// (github.com/google-gemini/gemini-cli/pull/65).
func (c *converter) joinDeclarations(declarations []geminiapi.FunctionDeclaration) bool {
	for i := range c.nativeTools {
		if tool := &c.nativeTools[i]; len(tool.FunctionDeclarations) > 0 {
			tool.FunctionDeclarations = append(declarations, tool.FunctionDeclarations...)
			return true
		}
	}
	return false
}

// declarations returns the functions of tools, then those of the older functions.
func (c *converter) declarations() ([]geminiapi.FunctionDeclaration, error) {
	count := len(c.in.Tools) + len(c.in.Functions)
	if count == 0 {
		return nil, nil
	}
	out := make([]geminiapi.FunctionDeclaration, 0, count)
	var root wire.Location
	tools, functions := root.Member("tools"), root.Member("functions")
	for i := range c.in.Tools {
		tool := tools.Element(i)
		function, err := c.functionOf(&c.in.Tools[i], &tool)
		if err != nil {
			return nil, err
		}
		if function != nil {
			at := tool.Member("function")
			out = append(out, geminiapi.FunctionDeclaration{})
			if err := c.declare(function, &at, &out[len(out)-1]); err != nil {
				return nil, err
			}
		}
	}
	for i := range c.in.Functions {
		at := functions.Element(i)
		out = append(out, geminiapi.FunctionDeclaration{})
		if err := c.declare(&c.in.Functions[i], &at, &out[len(out)-1]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// functionOf returns the function of a tool, or nil when it is none, which is reported.
func (c *converter) functionOf(tool *openaiapi.Tool, at *wire.Location) (*openaiapi.FunctionObject, error) {
	switch {
	case tool.Type == openaiapi.ToolTypeCustom:
		c.report.Add(transform.Lost, at.Pointer(), "Gemini's functions take JSON arguments only")
		return nil, nil
	case tool.Type != openaiapi.ToolTypeFunction && tool.Type != "":
		c.report.Add(transform.Lost, at.Pointer(), "Gemini does not know tools of this type")
		return nil, nil
	case tool.Function == nil:
		return nil, &Error{Pointer: at.Pointer() + "/function", Problem: "must be set, with the name of the function"}
	}
	if tool.Custom != nil {
		c.report.Add(transform.Lost, at.Pointer()+"/custom", "the tool is a function")
	}
	if tool.Unknown != nil {
		c.loseUnknown(at.Pointer(), tool.Unknown)
	}
	return tool.Function, nil
}

func (c *converter) declare(function *openaiapi.FunctionObject, at *wire.Location, out *geminiapi.FunctionDeclaration) error {
	out.Name, out.Description = &function.Name, function.Description
	if err := c.setParameters(function.Parameters, at, out); err != nil {
		return err
	}
	switch strict := function.Strict; {
	case strict == nil:
	case !*strict:
		c.report.Add(transform.Approximated, at.Pointer()+"/strict", "Gemini follows the schema always")
	case !c.callsFollowSchema():
		c.report.Add(transform.Approximated, at.Pointer()+"/strict", "Gemini follows the schema, and surely so with the tool choice validated")
	}
	if function.Unknown != nil {
		c.loseUnknown(at.Pointer(), function.Unknown)
	}
	return nil
}

// callsFollowSchema reports whether the tool choice makes Gemini hold calls to their schemas.
func (c *converter) callsFollowSchema() bool {
	if c.choice.config == nil {
		return false
	}
	switch optional.Value(c.choice.config.Mode) {
	case geminiapi.FunctionCallingModeAny, geminiapi.FunctionCallingModeValidated:
		return true
	}
	return false
}

// setParameters describes the arguments: as JSON Schema, byte for byte, or in Gemini's own form.
// A function without arguments has no description of them, as Gemini refuses an object without
// properties.
func (c *converter) setParameters(parameters jsontext.Value, at *wire.Location, out *geminiapi.FunctionDeclaration) error {
	if kind := parameters.Kind(); len(parameters) == 0 || kind == jsontext.KindNull {
		return nil
	} else if kind != jsontext.KindBeginObject {
		return &Error{Pointer: at.Pointer() + "/parameters", Problem: "must be a JSON Schema of an object"}
	}
	if empty, plain := takesNothing(parameters); empty {
		if !plain {
			c.report.Add(transform.Approximated, at.Pointer()+"/parameters", "left out, as the function takes no arguments")
		}
		return nil
	}
	if c.takesJSONSchema() {
		out.ParametersJSONSchema = parameters
		return nil
	}
	form, err := c.ownForm(at.Pointer()+"/parameters", parameters, schema.ForParameters())
	if err != nil {
		return err
	}
	out.ParametersJSONSchema, out.Parameters = form.json, form.own
	return nil
}

// takesNothing reports whether the schema is of an object that has no properties, and whether it says
// nothing else, such as a title.
func takesNothing(parameters jsontext.Value) (empty, plain bool) {
	if namesProperty(parameters) {
		return false, false
	}
	plain = true
	for name, value := range rawobject.Members(parameters) {
		switch want, known := emptyParameters[name]; {
		case known && compacted(value) == want:
		case !known && remarks[name]:
			plain = false
		default:
			return false, false
		}
	}
	return true, plain
}

// namesProperty reports whether the first properties in the schema, at whatever depth, has a member.
// Then the schema is none of an object without properties: below them there is nothing that could have
// properties of its own. This looks at bytes, as nearly every schema is spared a closer look so.
func namesProperty(schema jsontext.Value) bool {
	const space = " \t\r\n"
	_, after, found := bytes.Cut(schema, []byte(`"properties"`))
	after, isName := bytes.CutPrefix(bytes.TrimLeft(after, space), []byte(":"))
	after, isObject := bytes.CutPrefix(bytes.TrimLeft(after, space), []byte("{"))
	return found && isName && isObject && bytes.HasPrefix(bytes.TrimLeft(after, space), []byte(`"`))
}

// emptyParameters are the members of a schema that describe an object without properties. It is never
// written to.
var emptyParameters = map[string]string{
	"type":                 `"object"`,
	"properties":           `{}`,
	"required":             `[]`,
	"additionalProperties": `false`,
}

// remarks are the members of a schema that allow and forbid nothing. It is never written to.
var remarks = map[string]bool{"$schema": true, "$id": true, "$comment": true, "title": true, "description": true}

// compacted returns a short value without white space, and a long one as it came.
func compacted(value jsontext.Value) string {
	if len(value) > 32 {
		return string(value)
	}
	_ = value.Compact() // it has been read as JSON
	return string(value)
}

// setWebSearch lets the model search with Google, as Google's own endpoint does.
func (c *converter) setWebSearch(options *openaiapi.WebSearchOptions) {
	if !slices.ContainsFunc(c.nativeTools, func(t geminiapi.Tool) bool { return t.GoogleSearch != nil }) {
		c.out.Tools = append(c.out.Tools, geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{}})
	}
	const pointer = "/web_search_options"
	if options.SearchContextSize != nil {
		c.report.Add(transform.Lost, pointer+"/search_context_size", "Gemini decides how much it reads")
	}
	if options.UserLocation != nil {
		c.report.Add(transform.Lost, pointer+"/user_location", "Gemini knows places by latitude and longitude only")
	}
	c.loseUnknown(pointer, options.Unknown)
}

// showServerCalls makes a request with functions and tools that the server runs one that the Gemini API
// takes: it refuses the two together unless their calls are shown ("Please enable
// tool_config.include_server_side_tool_invocations"). Models before Gemini 3 never take both.
func (c *converter) showServerCalls() {
	if c.vertex || len(c.traits.Thinking.Levels) == 0 || !c.hasFunctions() || !slices.ContainsFunc(c.out.Tools, isServerTool) {
		return
	}
	config := c.toolConfig()
	if config.IncludeServerSideToolInvocations == nil {
		config.IncludeServerSideToolInvocations = new(true)
		c.report.Add(transform.Added, "/extra_body/google/tool_config/include_server_side_tool_invocations",
			"functions need it beside tools that the server runs")
	}
}

// isServerTool reports whether a tool is one that the server runs, alone or beside functions.
func isServerTool(t geminiapi.Tool) bool {
	t.FunctionDeclarations = nil
	return !t.IsEmpty()
}

// toolConfig returns the toolConfig of the result, which is there as soon as something is set in it.
func (c *converter) toolConfig() *geminiapi.ToolConfig {
	if c.out.ToolConfig == nil {
		c.out.ToolConfig = &geminiapi.ToolConfig{}
	}
	return c.out.ToolConfig
}
