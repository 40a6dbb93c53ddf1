package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// setTools declares the functions. Server tools stay in the request, for the extensions or the
// report.
func (c *converter) setTools() error {
	var native []geminiapi.Tool
	exact := true
	for i := range c.in.Tools {
		tool := c.in.Tools[i]
		at := "/tools/" + strconv.Itoa(i)
		for j := range tool.FunctionDeclarations {
			exact = exact && len(native) == 0
			if !c.declare(&tool.FunctionDeclarations[j],
				at+"/functionDeclarations/"+strconv.Itoa(j)) {
				exact = false
			}
		}
		if tool.FunctionDeclarations != nil {
			tool.FunctionDeclarations = nil
			exact = exact && tool.IsEmpty()
		}
		c.searchWeb(&tool)
		native = append(native, c.serverTool(tool, at)...)
	}
	c.rest.Tools = native
	if !c.plain && !exact {
		c.rest.Tools = c.in.Tools
	}
	return nil
}

// serverTool returns a server tool for the extensions. Without extensions it is lost.
func (c *converter) serverTool(tool geminiapi.Tool, at string) []geminiapi.Tool {
	switch {
	case tool.IsEmpty():
		return nil
	case c.plain:
		c.loseTool(&tool, at)
		return nil
	default:
		return []geminiapi.Tool{tool}
	}
}

// loseTool reports each member of a tool. This includes members without settings, such as
// googleSearch in most requests.
func (c *converter) loseTool(tool *geminiapi.Tool, at string) {
	members, err := json.Marshal(tool, jsonx.Canonical)
	if err != nil {
		c.report.Add(report.Lost, at, detailNoCounterpart)
	}
	for name := range jsonx.Members(members) {
		c.report.Add(report.Lost, jsonx.MemberPointer(at, name),
			detailNoCounterpart)
	}
}

// declare declares a function. exact reports whether the declaration converts back unchanged.
func (c *converter) declare(in *geminiapi.FunctionDeclaration, at string) (exact bool) {
	name := jsonx.Deref(in.Name)
	function := openaiapi.FunctionObject{Name: c.nameOf(name, at+"/name"),
		Description: in.Description}
	function.Parameters, exact = c.parameters(in, at)
	rest := *in
	rest.Name, rest.Description, rest.Parameters, rest.ParametersJSONSchema = nil, nil, nil, nil
	exact = exact && rest.IsEmpty()
	if c.plain {
		c.loseRest(at, &rest)
	}
	if c.mayBeCalled(name) {
		c.out.Tools = append(c.out.Tools,
			openaiapi.Tool{Type: openaiapi.ToolTypeFunction, Function: &function})
	} else {
		exact = false
	}
	return exact
}

// mayBeCalled reports whether to declare a function. All functions are declared, unless the options
// ask for the allowed ones only.
func (c *converter) mayBeCalled(name string) bool {
	if !c.filtered {
		return true
	}
	names := jsonx.Deref(jsonx.Deref(c.in.ToolConfig).FunctionCallingConfig).AllowedFunctionNames
	return len(names) == 0 || slices.Contains(names, name)
}

// parameters returns the schema of a function's arguments. JSON Schema stays byte for byte,
// Gemini's schema becomes JSON Schema. exact reports whether it converts back unchanged.
func (c *converter) parameters(in *geminiapi.FunctionDeclaration,
	at string) (parameters jsontext.Value, exact bool) {
	if document := jsonx.NonNull(in.ParametersJSONSchema); document != nil {
		if in.Parameters != nil && c.plain {
			c.loseRest(at, &geminiapi.FunctionDeclaration{Parameters: in.Parameters})
		}
		return document, in.Parameters == nil && hasProperties(document)
	}
	if in.Parameters == nil {
		return nil, in.ParametersJSONSchema == nil
	}
	document, report := schema.ToJSON(in.Parameters)
	if c.plain {
		for _, e := range report {
			c.report.Add(e.Kind, at+"/parameters"+e.Pointer, e.Detail)
		}
	}
	if len(in.Parameters.Properties) == 0 && len(in.Parameters.AnyOf) == 0 &&
		in.Parameters.Ref == nil {
		document = withProperties(document)
	}
	return document, false
}

// hasProperties reports whether a schema names properties. The conversion back omits a schema that
// does not.
func hasProperties(document jsontext.Value) bool {
	for range jsonx.Members(jsonx.Member(document, "properties")) {
		return true
	}
	return false
}

// withProperties adds empty properties to an object schema without properties. OpenAI refuses a
// schema without them.
func withProperties(document jsontext.Value) jsontext.Value {
	if jsonx.Member(document, "properties") != nil {
		return document
	}
	if jsonx.Member(document, "type") == nil {
		document = jsonx.MergeObjects(document, jsontext.Value(`{"type":"object"}`))
	}
	return jsonx.MergeObjects(document, jsontext.Value(`{"properties":{}}`))
}

// searchWeb replaces Google Search by OpenAI's web search if the model supports it, unless the
// extensions contain Google Search.
func (c *converter) searchWeb(tool *geminiapi.Tool) {
	if tool.GoogleSearch == nil || !c.plain ||
		!c.webSearch && !strings.Contains(c.out.Model, "search") {
		return
	}
	c.out.WebSearchOptions = &openaiapi.WebSearchOptions{}
	if tool.GoogleSearch.IsEmpty() {
		tool.GoogleSearch = nil
	}
}
