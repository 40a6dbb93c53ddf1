package remote

import (
	"cmp"
	"context"
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// declarationHelp describes the formats of a file of --tool.
const declarationHelp = `A FILE of --tool holds JSON: a function as Gemini declares it ({"name", "description",
"parameters" or "parametersJsonSchema"}), as OpenAI does ({"type": "function", "function":
{...}}) or as the Model Context Protocol ({"name", "description", "inputSchema"}), one of
Gemini's own tools, such as {"googleSearch": {}}, or a list of such objects. Calls are
printed and not executed.`

// readTools returns the tools that files declare. All functions are in one tool, because models see
// no difference.
func readTools(ctx context.Context, paths []string) ([]geminiapi.Tool, error) {
	var functions []geminiapi.FunctionDeclaration
	var others []geminiapi.Tool
	for _, path := range paths {
		data, err := readFile(ctx, path)
		if err != nil {
			return nil, err
		}
		tools, err := decodeTools(data)
		if err != nil {
			return nil, &fileError{path, err}
		}
		for _, tool := range tools {
			functions = append(functions, tool.FunctionDeclarations...)
			tool.FunctionDeclarations = nil
			if !tool.IsEmpty() {
				others = append(others, tool)
			}
		}
	}
	if len(functions) > 0 {
		others = append([]geminiapi.Tool{gemini.FunctionTool(functions...)}, others...)
	}
	return others, nil
}

// decodeTools reads a tool, or a list of them.
func decodeTools(data []byte) ([]geminiapi.Tool, error) {
	value := jsontext.Value(data)
	if value.Kind() != jsontext.KindBeginArray {
		tool, err := decodeTool(data)
		return []geminiapi.Tool{tool}, err
	}
	var elements []jsontext.Value
	if err := json.Unmarshal(data, &elements); err != nil {
		return nil, malformedTool(data, err)
	}
	if len(elements) == 0 {
		return nil, errNoTools
	}
	var tools []geminiapi.Tool
	for _, element := range elements {
		tool, err := decodeTool(element)
		if err != nil {
			return nil, err
		}
		tools = append(tools, tool)
	}
	return tools, nil
}

// declaration has the members of a function declaration in all its forms.
type declaration struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  jsontext.Value `json:"parameters"`
	InputSchema jsontext.Value `json:"inputSchema"`
	Function    *declaration   `json:"function"`
}

var (
	errNoTool  = errors.New("is not a tool; expected a name, or one of Gemini's tools such as googleSearch")
	errNoTools = errors.New("is an empty list; expected at least one tool")
)

func decodeTool(data []byte) (geminiapi.Tool, error) {
	var d declaration
	if err := json.Unmarshal(data, &d); err != nil {
		return geminiapi.Tool{}, malformedTool(data, err)
	}
	if d.Function != nil {
		d = *d.Function
		return functionTool(&d), nil
	}
	if d.Name == "" {
		return geminisTool(data)
	}
	if d.InputSchema != nil {
		return functionTool(&d), nil
	}
	var function geminiapi.FunctionDeclaration
	if err := json.Unmarshal(data, &function); err != nil {
		return geminiapi.Tool{}, malformedTool(data, err)
	}
	return gemini.FunctionTool(function), nil
}

// geminisTool reads a tool in Gemini's own form.
func geminisTool(data []byte) (geminiapi.Tool, error) {
	var tool geminiapi.Tool
	if err := json.Unmarshal(data, &tool); err != nil {
		return tool, malformedTool(data, err)
	}
	if len(tool.Unknown) > 0 || tool.IsEmpty() {
		return tool, errNoTool
	}
	return tool, nil
}

// functionTool makes a tool from a declaration whose parameters are a JSON Schema.
func functionTool(d *declaration) geminiapi.Tool {
	parameters := d.Parameters
	if parameters == nil {
		parameters = d.InputSchema
	}
	return gemini.FunctionTool(gemini.FunctionDeclaration(d.Name, cmp.Or(d.Description, d.Name),
		parameters))
}

func malformedTool(data []byte, err error) error {
	return codec.NewMalformedError(codec.Payload{Wire: "tool", Name: "declaration"}, data, err)
}
