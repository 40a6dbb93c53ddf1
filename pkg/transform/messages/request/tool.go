package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// setTools declares the client tools as functions in one tool, and adds the server tools after it.
func (c *converter) setTools() error {
	declarations := make([]geminiapi.FunctionDeclaration, 0, len(c.in.Tools))
	var root codec.Location
	list := root.Member("tools")
	if len(c.history.added) > 0 {
		c.declared = make(map[string]*anthropicapi.Tool, len(c.in.Tools))
	}
	c.positions = make([]int, 0, len(c.in.Tools))
	for i := range c.in.Tools {
		at, before := list.Element(i), len(declarations)
		if err := c.addTool(&declarations, &c.in.Tools[i], &at); err != nil {
			return err
		}
		if len(declarations) > before {
			c.positions = append(c.positions, i)
		}
	}
	if err := c.declareAdded(&declarations); err != nil {
		return err
	}
	functions.Set(&c.Request, declarations)
	if err := c.addServers(); err != nil {
		return err
	}
	functions.AddNative(&c.Request)
	return nil
}

// declareAdded declares the tools that system messages describe, after the tools of the request. It
// skips tools that are already declared: tools of the request, and tools that were removed and
// added again.
func (c *converter) declareAdded(declarations *[]geminiapi.FunctionDeclaration) error {
	var root codec.Location
	messages := root.Member("messages")
	for i := range c.history.added {
		added := &c.history.added[i]
		message := messages.Element(added.message)
		content := message.Member("content")
		block := content.Element(added.block)
		tool, at := &added.tool, block.Member("tool")
		if first, again := c.declared[functions.Name(tool.Name)]; again {
			functions.LoseAgain(&c.Request, functionOf(first), functionOf(tool), at.Pointer())
			continue
		}
		if err := c.declare(declarations, tool, &at, tool.InputSchema); err != nil {
			return err
		}
		c.positions = append(c.positions, len(c.in.Tools)+i)
	}
	return nil
}

// functionOf returns the function for a tool, without its name.
func functionOf(tool *anthropicapi.Tool) *functions.Function {
	return &functions.Function{Description: tool.Description, Strict: tool.Strict,
		Parameters: tool.InputSchema}
}

// addTool adds one tool: a function, or one of Gemini's own tools.
func (c *converter) addTool(declarations *[]geminiapi.FunctionDeclaration, tool *anthropicapi.Tool,
	at *codec.Location) error {
	kind := tool.Type
	known, isKnown := knownTool(kind)
	switch {
	case kind == "" || kind == "custom" || !isKnown && len(tool.InputSchema) > 0:
		if kind != "" && kind != "custom" {
			c.Report.Add(report.Approximated, at.Pointer()+"/type", "converted to a function")
		}
		if c.isDeferred(tool, at) {
			return nil
		}
		return c.declare(declarations, tool, at, tool.InputSchema)
	case !isKnown:
		c.Report.Add(report.Lost, at.Pointer(), "Gemini has no tools of this type")
		return nil
	case known.schema != "":
		if c.isDeferred(tool, at) {
			return nil
		}
		c.Report.Add(report.Approximated, at.Pointer()+"/type",
			"converted to a function with the documented input of the type")
		return c.declare(declarations, tool, at, jsontext.Value(known.schema))
	case known.refused != "":
		return &refusal.Error{Pointer: at.Pointer(), Problem: known.refused}
	case known.add == nil:
		c.Report.Add(report.Approximated, at.Pointer(), known.detail)
		return nil
	}
	used := []string{"name"}
	if c.VertexAI && tool.BlockedDomains != nil && strings.HasPrefix(kind, "web_search_") {
		used = append(used, "blocked_domains")
	}
	c.loseToolMembers(tool, at, used...)
	c.Report.Add(report.Approximated, at.Pointer()+"/type",
		"converted to Gemini's own tool, which has no versions")
	if tool.Name != "" && tool.Name != strings.TrimSuffix(known.prefix, "_") {
		c.Report.Add(report.Approximated, at.Pointer()+"/name", "Gemini names its own tools")
	}
	known.add(c, tool, at)
	return nil
}

// isFunction reports whether the client runs a tool, so that it is declared as a function.
func isFunction(tool *anthropicapi.Tool) bool {
	known, isKnown := knownTool(tool.Type)
	return tool.Type == "" || tool.Type == "custom" || isKnown && known.schema != "" ||
		!isKnown && len(tool.InputSchema) > 0
}

// isDeferred reports whether to omit a tool because it was not found yet. A tool that must be
// called is declared, because it could not be called otherwise. If the server should search for
// tools, all are declared at once, because Gemini has no such search.
func (c *converter) isDeferred(tool *anthropicapi.Tool, at *codec.Location) bool {
	if !jsonx.Deref(tool.DeferLoading) {
		return false
	}
	pointer := at.Pointer() + "/defer_loading"
	switch {
	case c.history.found[tool.Name]:
		c.Report.Add(report.Approximated, pointer, "the tool is declared, because it was found")
	case c.isChosen(tool.Name):
		c.Report.Add(report.Approximated, pointer, "the tool is declared, because tool_choice names it")
	case c.isSearched():
		c.Report.Add(report.Approximated, pointer,
			"the tool is declared at the start, because Gemini does not search for tools")
	default:
		c.Report.Add(report.Approximated, at.Pointer(), "omitted, because it was not found yet")
		return true
	}
	return false
}

// isSearched reports whether the server should search for tools.
func (c *converter) isSearched() bool {
	return slices.ContainsFunc(c.in.Tools, func(tool anthropicapi.Tool) bool {
		return strings.HasPrefix(tool.Type, prefixToolSearch)
	})
}

// declare declares a tool as a function.
func (c *converter) declare(out *[]geminiapi.FunctionDeclaration, tool *anthropicapi.Tool,
	at *codec.Location, schema jsontext.Value) error {
	if tool.Name == "" {
		return &refusal.Error{Pointer: at.Pointer() + "/name",
			Problem: "must be set, with the name of the tool"}
	}
	name := functions.Name(tool.Name)
	if name != tool.Name {
		c.Report.Add(report.Approximated, at.Pointer()+"/name",
			"sent with an underscore before it, because Gemini requires it")
	}
	declared := functions.Function{
		Name: &name, Description: tool.Description, Strict: tool.Strict,
		Parameters: c.parameters(schema, at), ParametersMember: "/input_schema",
	}
	if c.declared != nil {
		c.declared[name] = tool
	}
	*out = append(*out, geminiapi.FunctionDeclaration{})
	if err := functions.Declare(&c.Request, &declared, &c.choice, at,
		&(*out)[len(*out)-1]); err != nil {
		return err
	}
	c.loseToolMembers(tool, at, "name", "description", "input_schema", "strict", "defer_loading")
	return nil
}

// parameters returns the schema of a tool's input. A schema that is not an object is ignored; some
// tool servers send one (github.com/router-for-me/CLIProxyAPI/issues/415).
func (c *converter) parameters(schema jsontext.Value, at *codec.Location) jsontext.Value {
	switch schema.Kind() {
	case 0, jsontext.KindNull, jsontext.KindBeginObject:
		return schema
	}
	c.Report.Add(report.Lost, at.Pointer()+"/input_schema", "not a JSON Schema of an object")
	return nil
}

// loseToolMembers reports the members of a tool that are not used.
func (c *converter) loseToolMembers(tool *anthropicapi.Tool, at *codec.Location, used ...string) {
	visitMembersOfTool(tool, func(name string) {
		if name == "type" || contains(used, name) {
			return
		}
		kind, detail := report.Lost, detailNotHere
		if fate, ok := toolMembers[name]; ok {
			kind, detail = fate.Kind, fate.Detail
		}
		if name == "allowed_callers" && len(tool.AllowedCallers) == 1 &&
			tool.AllowedCallers[0] == "direct" {
			kind, detail = report.Approximated, "Gemini calls tools itself"
		}
		c.Report.Add(kind, at.Pointer()+"/"+name, detail)
	})
	c.LoseUnknown(at.Pointer(), tool.Unknown)
}

// toolMembers defines how unused members of tools are reported. It is never modified.
var toolMembers = target.Fates{
	"allowed_callers":       target.Lost("Gemini calls tools itself"),
	"cache_control":         target.Approximated(target.DetailCached),
	"defer_loading":         target.Approximated("sent at the start, where Gemini gets all tools"),
	"eager_input_streaming": target.Approximated("Gemini sends arguments as soon as it has them"),
	"input_examples":        target.Lost("Gemini accepts no examples; put them into the description"),
}
