package requestcheck

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
)

func (v *checker) tools(root *location, r *geminiapi.GenerateContentRequest) {
	list := root.member("tools")
	at := list.element(0)
	declared := map[string]bool{}
	for i := range r.Tools {
		at.index = i
		v.tool(&at, &r.Tools[i], declared)
	}
}

func (v *checker) tool(at *location, t *geminiapi.Tool, declared map[string]bool) {
	if isEmptyTool(t) {
		v.report(at, ruleRequired, "", "the tool is empty; it must hold one, such as functionDeclarations or googleSearch")
	}
	list := at.member("functionDeclarations")
	in := list.element(0)
	for i := range t.FunctionDeclarations {
		in.index = i
		v.functionDeclaration(&in, &t.FunctionDeclarations[i], declared)
	}
	v.searchTools(at, t)
	v.computerUse(at, t.ComputerUse)
	v.mcpServers(at, t.MCPServers)
	v.googleMaps(at, t.GoogleMaps)
	v.dataTools(at, t)
	if t.CodeExecution != nil {
		v.leaf(at, "codeExecution", t.CodeExecution.Unknown)
	}
	if t.URLContext != nil {
		v.leaf(at, "urlContext", t.URLContext.Unknown)
	}
	checkExclusive(v, at, t, toolExclusives)
	v.unknown(at, t.Unknown)
}

// isEmptyTool: the Gemini API wants one tool type initialised, for which an empty list does not count.
func isEmptyTool(t *geminiapi.Tool) bool {
	rest := *t
	if len(rest.FunctionDeclarations) == 0 {
		rest.FunctionDeclarations = nil
	}
	if len(rest.MCPServers) == 0 {
		rest.MCPServers = nil
	}
	return rest.IsEmpty()
}

func (v *checker) functionDeclaration(at *location, f *geminiapi.FunctionDeclaration, declared map[string]bool) {
	v.functionName(at, f.Name)
	if name := textOf(f.Name); name != "" {
		if declared[name] {
			v.reportMember(at, "name", ruleUnique, shortString(name), quote(name)+" is declared already; the names of functions must differ, in all tools together")
		}
		declared[name] = true
	}
	if f.Parameters != nil && len(f.ParametersJSONSchema) > 0 {
		v.reportMember(at, "parametersJsonSchema", ruleExcluded, "", "must be absent beside parameters")
	}
	if f.Response != nil && len(f.ResponseJSONSchema) > 0 {
		v.reportMember(at, "responseJsonSchema", ruleExcluded, "", "must be absent beside response")
	}
	v.parameters(at, f)
	if f.Response != nil {
		v.schema(at, "response", f.Response)
	}
	v.jsonSchema(at, "responseJsonSchema", f.ResponseJSONSchema)
	checkEnum(v, at, "behavior", f.Behavior)
	v.unknown(at, f.Unknown)
}

// parameters are the properties of an object.
func (v *checker) parameters(at *location, f *geminiapi.FunctionDeclaration) {
	v.jsonSchema(at, "parametersJsonSchema", f.ParametersJSONSchema)
	if f.Parameters == nil {
		return
	}
	in := at.member("parameters")
	if t := f.Parameters.Type; t != nil && t.Valid() && !isEnum(t, geminiapi.SchemaTypeObject) && !isEnum(t, geminiapi.SchemaTypeUnspecified) {
		v.reportMember(&in, "type", ruleType, shortString(string(*t)), "parameters must be of the type OBJECT, with a property for each")
	}
	v.schema(at, "parameters", f.Parameters)
}

func (v *checker) searchTools(tool *location, t *geminiapi.Tool) {
	v.googleSearch(tool, t.GoogleSearch)
	if s := t.GoogleSearchRetrieval; s != nil {
		at := tool.member("googleSearchRetrieval")
		if c := s.DynamicRetrievalConfig; c != nil {
			in := at.member("dynamicRetrievalConfig")
			checkEnum(v, &in, "mode", c.Mode)
			v.unknown(&in, c.Unknown)
		}
		v.unknown(&at, s.Unknown)
	}
	if s := t.EnterpriseWebSearch; s != nil {
		at := tool.member("enterpriseWebSearch")
		checkEnum(v, &at, "blockingConfidence", s.BlockingConfidence)
		v.unknown(&at, s.Unknown)
	}
}

func (v *checker) googleSearch(tool *location, s *geminiapi.GoogleSearch) {
	if s == nil {
		return
	}
	at := tool.member("googleSearch")
	checkEnum(v, &at, "blockingConfidence", s.BlockingConfidence)
	if f := s.TimeRangeFilter; f != nil {
		in := at.member("timeRangeFilter")
		v.timestamp(&in, "startTime", f.StartTime)
		v.timestamp(&in, "endTime", f.EndTime)
		v.unknown(&in, f.Unknown)
	}
	if s.SearchTypes != nil {
		in := at.member("searchTypes")
		if s.SearchTypes.ImageSearch != nil {
			v.leaf(&in, "imageSearch", s.SearchTypes.ImageSearch.Unknown)
		}
		if s.SearchTypes.WebSearch != nil {
			v.leaf(&in, "webSearch", s.SearchTypes.WebSearch.Unknown)
		}
		v.unknown(&in, s.SearchTypes.Unknown)
	}
	checkExclusive(v, &at, s, googleSearchExclusives)
	v.unknown(&at, s.Unknown)
}

func (v *checker) computerUse(tool *location, c *geminiapi.ComputerUse) {
	if c == nil {
		return
	}
	at := tool.member("computerUse")
	checkEnum(v, &at, "environment", c.Environment)
	list := at.member("disabledSafetyPolicies")
	policy := list.element(0)
	for i := range c.DisabledSafetyPolicies {
		policy.index = i
		checkElement(v, &policy, &c.DisabledSafetyPolicies[i])
	}
	v.unknown(&at, c.Unknown)
}

func (v *checker) mcpServers(tool *location, servers []geminiapi.MCPServer) {
	list := tool.member("mcpServers")
	at := list.element(0)
	for i := range servers {
		at.index = i
		if t := servers[i].StreamableHTTPTransport; t != nil {
			in := at.member("streamableHttpTransport")
			v.duration(&in, "timeout", t.Timeout)
			v.duration(&in, "sseReadTimeout", t.SseReadTimeout)
			v.unknown(&in, t.Unknown)
		}
		v.unknown(&at, servers[i].Unknown)
	}
}
