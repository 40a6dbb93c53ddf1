package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// setTools sets the tools. Each function is a tool, and so is each of Google's tools.
func (c *converter) setTools() error {
	tools := c.rest.Tools
	c.rest.Tools = nil
	for i := range tools {
		c.tool(tools[i], "/tools/"+strconv.Itoa(i))
	}
	return nil
}

// tool adds the tools that one tool of Gemini's format has.
func (c *converter) tool(in geminiapi.Tool, at string) {
	for i := range in.FunctionDeclarations {
		c.function(&in.FunctionDeclarations[i], at+"/functionDeclarations/"+strconv.Itoa(i))
	}
	in.FunctionDeclarations = nil
	c.search(&in, at)
	c.plainTools(&in, at)
	c.maps(&in, at+"/googleMaps")
	c.computer(&in, at+"/computerUse")
	for i := range in.MCPServers {
		c.mcpServer(&in.MCPServers[i], at+"/mcpServers/"+strconv.Itoa(i))
	}
	in.MCPServers = nil
	c.retrieval(&in, at)
	if in.GoogleSearchRetrieval != nil {
		c.report.Add(report.Lost, at+"/googleSearchRetrieval",
			"an interaction has only google_search; use googleSearch")
		in.GoogleSearchRetrieval = nil
	}
	c.loseRest(at, &in)
}

// add adds a tool.
func (c *converter) add(tool interactionsapi.Tool) { c.out.Tools = append(c.out.Tools, tool) }

// function adds a function.
func (c *converter) function(in *geminiapi.FunctionDeclaration, at string) {
	rest := *in
	rest.Name, rest.Description, rest.ParametersJSONSchema = nil, nil, nil
	tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeFunction, Name: in.Name,
		Description: in.Description}
	switch document := jsonx.NonNull(in.ParametersJSONSchema); {
	case document != nil:
		tool.Parameters = c.jsonSchema(document, at+"/parametersJsonSchema")
	case in.Parameters != nil:
		tool.Parameters = c.ownSchema(in.Parameters, at+"/parameters")
		rest.Parameters = nil
	}
	c.loseRest(at, &rest)
	c.add(tool)
}

// search adds Google Search, for the web, for images, and for enterprises.
func (c *converter) search(in *geminiapi.Tool, at string) {
	if search := in.GoogleSearch; search != nil {
		tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeGoogleSearch}
		rest := *search
		if kinds := search.SearchTypes; kinds != nil {
			left := *kinds
			if kinds.WebSearch != nil {
				tool.SearchTypes = append(tool.SearchTypes, interactionsapi.SearchTypeWebSearch)
				left.WebSearch = orNil(*kinds.WebSearch, kinds.WebSearch.IsEmpty())
			}
			if kinds.ImageSearch != nil {
				tool.SearchTypes = append(tool.SearchTypes, interactionsapi.SearchTypeImageSearch)
				left.ImageSearch = orNil(*kinds.ImageSearch, kinds.ImageSearch.IsEmpty())
			}
			rest.SearchTypes = &left
		}
		c.loseRest(at+"/googleSearch", &rest)
		c.add(tool)
		in.GoogleSearch = nil
	}
	if search := in.EnterpriseWebSearch; search != nil {
		c.enterpriseSearch(search, at+"/enterpriseWebSearch")
		in.EnterpriseWebSearch = nil
	}
}

// orNil returns a copy of a record, or nil for an empty one.
func orNil[T any](record T, isEmpty bool) *T {
	if isEmpty {
		return nil
	}
	return &record
}

func (c *converter) enterpriseSearch(in *geminiapi.EnterpriseWebSearch, at string) {
	if !c.vertex {
		c.report.Add(report.Lost, at, detailVertexOnly)
		return
	}
	c.report.Add(report.Approximated, at, "converted to google_search of that kind")
	c.loseRest(at, in)
	c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeGoogleSearch,
		SearchTypes: []interactionsapi.SearchType{interactionsapi.SearchTypeEnterpriseWebSearch}})
}

// plainTools adds the tools whose members are the same in both formats.
func (c *converter) plainTools(in *geminiapi.Tool, at string) {
	if in.URLContext != nil {
		c.loseRest(at+"/urlContext", in.URLContext)
		c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeURLContext})
		in.URLContext = nil
	}
	if in.CodeExecution != nil {
		c.loseRest(at+"/codeExecution", in.CodeExecution)
		c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeCodeExecution})
		in.CodeExecution = nil
	}
	if files := in.FileSearch; files != nil {
		c.loseRest(at+"/fileSearch", &geminiapi.FileSearch{Unknown: files.Unknown})
		c.add(interactionsapi.Tool{Type: interactionsapi.ToolTypeFileSearch,
			FileSearchStoreNames: files.FileSearchStoreNames, MetadataFilter: files.MetadataFilter,
			TopK: files.TopK})
		in.FileSearch = nil
	}
}

// maps adds Google Maps, with the place of the user.
func (c *converter) maps(in *geminiapi.Tool, at string) {
	if in.GoogleMaps == nil {
		return
	}
	rest := *in.GoogleMaps
	in.GoogleMaps = nil
	tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeGoogleMaps,
		EnableWidget: rest.EnableWidget}
	rest.EnableWidget = nil
	if place := jsonx.Deref(jsonx.Deref(c.in.ToolConfig).RetrievalConfig).LatLng; place != nil {
		tool.Latitude, tool.Longitude = place.Latitude, place.Longitude
	}
	c.loseRest(at, &rest)
	c.add(tool)
}

// computer adds the tool that operates a computer.
func (c *converter) computer(in *geminiapi.Tool, at string) {
	computer := in.ComputerUse
	if computer == nil {
		return
	}
	in.ComputerUse = nil
	tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeComputerUse,
		ExcludedPredefinedFunctions:    computer.ExcludedPredefinedFunctions,
		EnablePromptInjectionDetection: computer.EnablePromptInjectionDetection}
	if computer.Environment != nil {
		word, ok := c.word(at+"/environment", string(*computer.Environment), "ENVIRONMENT_")
		if ok {
			tool.Environment = new(interactionsapi.ComputerEnvironment(word))
		}
	}
	for i, policy := range computer.DisabledSafetyPolicies {
		word, ok := c.word(at+"/disabledSafetyPolicies/"+strconv.Itoa(i), string(policy), "")
		if ok {
			tool.DisabledSafetyPolicies = append(tool.DisabledSafetyPolicies,
				interactionsapi.DisabledSafetyPolicy(word))
		}
	}
	c.loseRest(at, &geminiapi.ComputerUse{Unknown: computer.Unknown})
	c.add(tool)
}

// mcpServer adds the tools of an MCP server. An interaction has no timeouts for it.
func (c *converter) mcpServer(in *geminiapi.MCPServer, at string) {
	tool := interactionsapi.Tool{Type: interactionsapi.ToolTypeMCPServer, Name: in.Name}
	c.loseRest(at, &geminiapi.MCPServer{Unknown: in.Unknown})
	if transport := in.StreamableHTTPTransport; transport != nil {
		tool.URL, tool.Headers = transport.URL, transport.Headers
		rest := *transport
		rest.URL, rest.Headers = nil, nil
		c.loseRest(at+"/streamableHttpTransport", &rest)
	}
	c.add(tool)
}

// hasTool reports whether there is a tool of a type.
func (c *converter) hasTool(kind interactionsapi.ToolType) bool {
	for i := range c.out.Tools {
		if c.out.Tools[i].Type == kind {
			return true
		}
	}
	return false
}
