package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
	"github.com/go-json-experiment/json/jsontext"
)

// setTools declares the functions in one tool, and adds the server tools after it. Tools of input
// items are declared like tools of the request, because Gemini needs all tools from the start.
func (c *converter) setTools() error {
	var root codec.Location
	d := declarer{
		converter: c, tools: make([]geminiapi.Tool, 0, 1),
		declarations: make([]geminiapi.FunctionDeclaration, 0, len(c.in.Tools)),
		declared:     make(map[string]functions.Function, len(c.in.Tools)),
	}
	tools := root.Member("tools")
	if err := d.add(c.in.Tools, "", &tools); err != nil {
		return err
	}
	input := root.Member("input")
	for i := range c.history.items {
		item := &c.history.items[i]
		if kind := kindOf(item); kind == openaiapi.ResponseItemTypeAdditionalTools ||
			kind == openaiapi.ResponseItemTypeToolSearchOutput {
			at := input.Element(i)
			tools := at.Member("tools")
			if err := d.add(item.Tools, "", &tools); err != nil {
				return err
			}
		}
	}
	functions.Set(&c.Request, d.declarations)
	c.Out.Tools = append(c.Out.Tools, d.tools...)
	functions.AddNative(&c.Request)
	return nil
}

// declarer collects the declarations of all lists of tools.
type declarer struct {
	*converter
	declarations []geminiapi.FunctionDeclaration
	declared     map[string]functions.Function // by their names
	tools        []geminiapi.Tool              // server tools
}

// add adds the tools of a list. namespace is their namespace, or "".
func (d *declarer) add(tools []openaiapi.ResponseTool, namespace string, at *codec.Location) error {
	d.choice.HasTools = d.choice.HasTools || len(tools) > 0
	for i := range tools {
		tool, at := &tools[i], at.Element(i)
		if err := d.addTool(tool, namespace, &at); err != nil {
			return err
		}
	}
	return nil
}

func (d *declarer) addTool(tool *openaiapi.ResponseTool, namespace string,
	at *codec.Location) error {
	if tool.Unknown != nil {
		d.LoseUnknown(at.Pointer(), tool.Unknown)
	}
	switch tool.Type {
	case openaiapi.ResponseToolTypeFunction, "":
		return d.addFunction(tool, namespace, at)
	case openaiapi.ResponseToolTypeCustom:
		return d.addCustom(tool, namespace, at)
	case openaiapi.ResponseToolTypeToolSearch:
		return d.addSearchTool(tool, at)
	case openaiapi.ResponseToolTypeNamespace:
		if tool.Name == "" {
			return refuse(at.Pointer()+"/name", "must be set, with the name of the namespace")
		}
		if namespace != "" {
			d.Report.Add(report.Lost, at.Pointer(), "must not be in another namespace")
			return nil
		}
		d.loseToolMembers(tool, at, "name", "description", "tools")
		if len(tool.Tools) == 0 {
			d.Report.Add(report.Lost, at.Pointer(), "the namespace has no tools")
		}
		list, first := at.Member("tools"), len(d.declarations)
		err := d.add(tool.Tools, tool.Name, &list)
		d.describeNamespace(tool, first, at)
		return err
	}
	return d.addServerTool(tool, at)
}

// describeNamespace adds the description of a namespace to the description of its first function,
// because Gemini has no namespaces. first is the index of that function.
func (d *declarer) describeNamespace(tool *openaiapi.ResponseTool, first int, at *codec.Location) {
	const member = "/description"
	switch text := jsonx.Deref(tool.Description); {
	case tool.Description == nil:
	case text == "" || first == len(d.declarations):
		d.Report.Add(report.Approximated, at.Pointer()+member, "omitted, because it describes nothing")
	default:
		out := &d.declarations[first]
		all := "About all functions of " + tool.Name + ": " + text
		if own := jsonx.Deref(out.Description); own != "" {
			all = own + "\n\n" + all
		}
		out.Description = &all
		d.Report.Add(report.Approximated, at.Pointer()+member,
			"moved to the description of the namespace's first function")
	}
}

// loseToolMembers reports the members of a tool that its conversion does not use.
func (d *declarer) loseToolMembers(tool *openaiapi.ResponseTool, at *codec.Location,
	used ...string) {
	visitMembersOfResponseTool(tool, func(name string) {
		switch {
		case name == "type" || slices.Contains(used, name):
		case name == "defer_loading":
			if jsonx.Deref(tool.DeferLoading) {
				d.Report.Add(report.Approximated, at.Pointer()+"/"+name,
					"Gemini gets all tools at the start")
			}
		case name == "allowed_callers":
			d.Report.Add(report.Approximated, at.Pointer()+"/"+name,
				"Gemini calls tools itself and runs no programs that call them")
		default:
			d.Report.Add(report.Lost, at.Pointer()+"/"+name, detailNotHere)
		}
	})
}

// addFunction declares a function. Its members are next to the type, or nested as in chat
// completions.
func (d *declarer) addFunction(tool *openaiapi.ResponseTool, namespace string,
	at *codec.Location) error {
	f := functions.Function{
		Description: tool.Description, Strict: tool.Strict, Parameters: tool.Parameters,
		ParametersMember: "/parameters",
	}
	used, location := "output_schema", *at
	if tool.Name == "" && tool.Function != nil {
		nested := tool.Function
		f.Description, f.Strict, f.Parameters = nested.Description, nested.Strict, nested.Parameters
		location = at.Member("function")
		if nested.Unknown != nil {
			d.LoseUnknown(location.Pointer(), nested.Unknown)
		}
		d.loseToolMembers(tool, at, "function", used)
	} else {
		d.loseToolMembers(tool, at, "name", "description", "parameters", "strict", used)
	}
	declaration, err := d.declare(&f, toolname.ToolOf(tool, namespace), at, &location)
	if declaration != nil {
		d.setOutputSchema(tool.OutputSchema, at, declaration)
	}
	return err
}

// declare declares a function under the name of its tool. It returns nil for a tool that is already
// declared.
func (d *declarer) declare(f *functions.Function, tool toolname.Tool, at,
	location *codec.Location) (*geminiapi.FunctionDeclaration, error) {
	if tool.Name == "" {
		return nil, refuse(at.Pointer()+"/name", "must be set, with the name of the function")
	}
	name := d.names.Function(tool)
	f.Name = &name
	if first, again := d.declared[name]; again {
		functions.LoseAgain(&d.Request, &first, f, at.Pointer())
		return nil, nil
	}
	d.declared[name] = *f
	d.declarations = append(d.declarations, geminiapi.FunctionDeclaration{})
	out := &d.declarations[len(d.declarations)-1]
	return out, functions.Declare(&d.Request, f, &d.choice, location, out)
}

// setOutputSchema sets the description of what a function returns.
func (d *declarer) setOutputSchema(schema jsontext.Value, at *codec.Location,
	out *geminiapi.FunctionDeclaration) {
	switch {
	case jsonx.NonNull(schema) == nil:
	case d.TakesJSONSchema():
		out.ResponseJSONSchema = schema
	default:
		d.Report.Add(report.Lost, at.Pointer()+"/output_schema",
			"the model accepts no JSON Schema for function results")
	}
}

// addCustom declares a custom tool as a function with one text. The description contains the
// grammar of the text, because Gemini supports no grammars.
func (d *declarer) addCustom(tool *openaiapi.ResponseTool, namespace string,
	at *codec.Location) error {
	d.loseToolMembers(tool, at, "name", "description", "format")
	input := "The input of the tool, in its own format."
	if format := tool.Format; format != nil {
		at := at.Member("format")
		if format.Unknown != nil {
			d.LoseUnknown(at.Pointer(), format.Unknown)
		}
		if format.Definition != "" {
			input = "The input of the tool. It must follow this grammar"
			if format.Syntax != "" {
				input += " (" + string(format.Syntax) + ")"
			}
			input += ":\n" + format.Definition
		}
		d.Report.Add(report.Approximated, at.Pointer(),
			"moved to the description, which Gemini need not follow")
	}
	f := functions.Function{Description: tool.Description, Parameters: textParameters(input),
		ParametersMember: "/format"}
	_, err := d.declare(&f, toolname.ToolOf(tool, namespace), at, at)
	return err
}

// textParameters returns the schema of an object with one text that has the description.
func textParameters(description string) jsontext.Value {
	text := object.OfText("description", description) // {"description":...}
	return jsontext.Value(`{"type":"object","properties":{"` + toolname.Input +
		`":{"type":"string",` + string(text[1:]) + `},"required":["` + toolname.Input + `"]}`)
}

// addSearchTool declares the client's tool search as a function. A server's tool search has nothing
// to find, because all tools are declared.
func (d *declarer) addSearchTool(tool *openaiapi.ResponseTool, at *codec.Location) error {
	if tool.Execution != openaiapi.ToolSearchExecutionClient {
		d.Report.Add(report.Approximated, at.Pointer(),
			"Gemini gets all tools at the start")
		return nil
	}
	d.loseToolMembers(tool, at, "execution", "description", "parameters")
	f := functions.Function{Description: tool.Description, Parameters: tool.Parameters,
		ParametersMember: "/parameters"}
	_, err := d.declare(&f, toolname.SearchTool(), at, at)
	return err
}
