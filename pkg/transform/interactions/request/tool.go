package request

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
)

// setTools declares the functions in one tool, and adds the tools that Google runs after it.
func (c *converter) setTools() error {
	declarations := make([]geminiapi.FunctionDeclaration, 0, len(c.in.Tools))
	var native []geminiapi.Tool
	var root codec.Location
	list := root.Member("tools")
	for i := range c.in.Tools {
		tool, at := &c.in.Tools[i], list.Element(i)
		if tool.Type == interactionsapi.ToolTypeFunction {
			if err := c.declare(&declarations, tool, &at); err != nil {
				return err
			}
			c.positions = append(c.positions, i)
			continue
		}
		tools, err := c.nativeTool(tool, at.Pointer())
		if err != nil {
			return err
		}
		native = append(native, tools...)
	}
	functions.Set(&c.Request, declarations)
	c.Out.Tools = append(c.Out.Tools, native...)
	before := len(c.Report)
	functions.AddNative(&c.Request)
	for i := range c.Report[before:] { // that server tools are shown, which has no member here
		c.Report[before+i].Pointer = "/tools"
	}
	return nil
}

// declare declares a function. Its parameters stay byte for byte if the model accepts JSON Schema.
func (c *converter) declare(out *[]geminiapi.FunctionDeclaration, tool *interactionsapi.Tool,
	at *codec.Location) error {
	if jsonx.Deref(tool.Name) == "" {
		return refuse(at.Pointer()+"/name", "must be set, with the name of the function")
	}
	declared := functions.Function{Name: tool.Name, Description: tool.Description,
		Parameters: tool.Parameters, ParametersMember: "/parameters"}
	*out = append(*out, geminiapi.FunctionDeclaration{})
	c.loseToolMembers(tool, at.Pointer())
	return functions.Declare(&c.Request, &declared, &c.choice, at, &(*out)[len(*out)-1])
}

// nativeTool is a tool that Google runs. convert returns it as Gemini's tools at a pointer.
type nativeTool struct {
	members []string // that convert uses
	convert func(c *converter, tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool, error)
}

// toolsOfGoogle are the tools that Google runs. It is never written to.
var toolsOfGoogle = map[interactionsapi.ToolType]nativeTool{
	interactionsapi.ToolTypeGoogleSearch: {[]string{"search_types"}, (*converter).searchTool},
	interactionsapi.ToolTypeURLContext:   {nil, (*converter).urlTool},
	interactionsapi.ToolTypeCodeExecution: {nil,
		(*converter).codeTool},
	interactionsapi.ToolTypeGoogleMaps: {[]string{"enable_widget", "latitude", "longitude"},
		(*converter).mapsTool},
	interactionsapi.ToolTypeFileSearch: {
		[]string{"file_search_store_names", "metadata_filter", "top_k"}, (*converter).fileTool},
	interactionsapi.ToolTypeComputerUse: {
		[]string{"environment", "excluded_predefined_functions",
			"enable_prompt_injection_detection", "disabled_safety_policies"},
		(*converter).computerTool},
	interactionsapi.ToolTypeMCPServer: {[]string{"name", "url", "headers", "allowed_tools"},
		(*converter).mcpTool},
	interactionsapi.ToolTypeRetrieval: {
		[]string{"retrieval_types", "vertex_ai_search_config", "rag_store_config",
			"exa_ai_search_config", "parallel_ai_search_config"},
		(*converter).retrievalTool},
}

// nativeTool converts a tool that Google runs.
func (c *converter) nativeTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool,
	error) {
	known, isKnown := toolsOfGoogle[tool.Type]
	switch {
	case tool.Type == "":
		return nil, refuse(pointer+"/type", "must be set, with the type of the tool")
	case !isKnown:
		c.Report.Add(report.Lost, pointer, "Gemini has no tools of this type")
		return nil, nil
	}
	c.loseToolMembers(tool, pointer, known.members...)
	return known.convert(c, tool, pointer)
}

// loseToolMembers reports the members of a tool that its type does not have.
func (c *converter) loseToolMembers(tool *interactionsapi.Tool, pointer string, used ...string) {
	if tool.Type == interactionsapi.ToolTypeFunction {
		used = []string{"name", "description", "parameters"}
	}
	visitMembersOfTool(tool, func(name string) {
		if name != "type" && !slices.Contains(used, name) {
			c.Report.Add(report.Lost, pointer+"/"+name, detailNotHere)
		}
	})
	c.LoseUnknown(pointer, tool.Unknown)
}

const (
	detailVertexOnly = "only Vertex AI has it"
	detailGeminiOnly = "only the Gemini API has it"
)

// searchTool converts Google Search. The enterprise search is a tool of its own on Vertex AI.
func (c *converter) searchTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool,
	error) {
	if len(tool.SearchTypes) == 0 {
		c.searches = append(c.searches, pointer)
		return []geminiapi.Tool{{GoogleSearch: &geminiapi.GoogleSearch{}}}, nil
	}
	var out []geminiapi.Tool
	var types geminiapi.SearchTypes
	for i, kind := range tool.SearchTypes {
		switch {
		case kind == interactionsapi.SearchTypeWebSearch:
			types.WebSearch = &geminiapi.WebSearch{}
		case kind == interactionsapi.SearchTypeImageSearch:
			types.ImageSearch = &geminiapi.ImageSearch{}
		case kind == interactionsapi.SearchTypeEnterpriseWebSearch && c.VertexAI:
			out = append(out, geminiapi.Tool{EnterpriseWebSearch: &geminiapi.EnterpriseWebSearch{}})
		case kind == interactionsapi.SearchTypeEnterpriseWebSearch:
			c.Report.Add(report.Lost, pointer+"/search_types/"+itoa(i), detailVertexOnly)
		default:
			c.Report.Add(report.Lost, pointer+"/search_types/"+itoa(i), "Gemini has no such search")
		}
	}
	if types.WebSearch != nil || types.ImageSearch != nil {
		c.searches = append(c.searches, pointer)
		out = append(out, geminiapi.Tool{GoogleSearch: &geminiapi.GoogleSearch{
			SearchTypes: &types}})
	}
	return out, nil
}

func (c *converter) urlTool(*interactionsapi.Tool, string) ([]geminiapi.Tool, error) {
	return []geminiapi.Tool{{URLContext: &geminiapi.URLContext{}}}, nil
}

func (c *converter) codeTool(*interactionsapi.Tool, string) ([]geminiapi.Tool, error) {
	return []geminiapi.Tool{{CodeExecution: &geminiapi.CodeExecution{}}}, nil
}

// mapsTool converts Google Maps. The position of the user is a setting of the whole request.
func (c *converter) mapsTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool, error) {
	if tool.Latitude != nil || tool.Longitude != nil {
		config := c.ToolConfig()
		if config.RetrievalConfig != nil {
			c.Report.Add(report.Lost, pointer, "a tool before it sets the position of the user")
		} else {
			config.RetrievalConfig = &geminiapi.RetrievalConfig{LatLng: &geminiapi.LatLng{
				Latitude: tool.Latitude, Longitude: tool.Longitude}}
		}
	}
	return []geminiapi.Tool{{GoogleMaps: &geminiapi.GoogleMaps{
		EnableWidget: tool.EnableWidget}}}, nil
}

// fileTool converts the search in uploaded documents, which only the Gemini API has.
func (c *converter) fileTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool, error) {
	if c.VertexAI {
		c.Report.Add(report.Lost, pointer, detailGeminiOnly)
		return nil, nil
	}
	return []geminiapi.Tool{{FileSearch: &geminiapi.FileSearch{
		FileSearchStoreNames: tool.FileSearchStoreNames, MetadataFilter: tool.MetadataFilter,
		TopK: tool.TopK}}}, nil
}

// computerTool converts the use of a computer.
func (c *converter) computerTool(tool *interactionsapi.Tool, _ string) ([]geminiapi.Tool, error) {
	use := &geminiapi.ComputerUse{
		ExcludedPredefinedFunctions:    tool.ExcludedPredefinedFunctions,
		EnablePromptInjectionDetection: tool.EnablePromptInjectionDetection,
	}
	if tool.Environment != nil {
		use.Environment = new(geminiapi.ComputerUseEnvironment("ENVIRONMENT_" +
			strings.ToUpper(string(*tool.Environment))))
	}
	for _, policy := range tool.DisabledSafetyPolicies {
		use.DisabledSafetyPolicies = append(use.DisabledSafetyPolicies,
			geminiapi.SafetyPolicy(strings.ToUpper(string(policy))))
	}
	return []geminiapi.Tool{{ComputerUse: use}}, nil
}

// mcpTool converts an MCP server, which Gemini contacts itself. Vertex AI contacts none.
func (c *converter) mcpTool(tool *interactionsapi.Tool, pointer string) ([]geminiapi.Tool, error) {
	switch {
	case c.VertexAI:
		return nil, refuse(pointer, "must be absent, because Vertex AI calls no MCP servers; "+
			"declare their tools as functions")
	case jsonx.Deref(tool.URL) == "":
		return nil, refuse(pointer+"/url", "must be set, with the address of the server")
	}
	if len(tool.AllowedTools) > 0 {
		c.Report.Add(report.Lost, pointer+"/allowed_tools", "Gemini gets all tools of a server")
	}
	return []geminiapi.Tool{{MCPServers: []geminiapi.MCPServer{{Name: tool.Name,
		StreamableHTTPTransport: &geminiapi.StreamableHTTPTransport{URL: tool.URL,
			Headers: tool.Headers}}}}}, nil
}
