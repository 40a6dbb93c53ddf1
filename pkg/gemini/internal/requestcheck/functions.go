package requestcheck

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// checkTool: the Gemini API wants one tool type initialised, for which an empty list does not count.
func (v *checker) checkTool(at *wire.Location, t *geminiapi.Tool) {
	rest := *t
	if len(rest.FunctionDeclarations) == 0 {
		rest.FunctionDeclarations = nil
	}
	if len(rest.MCPServers) == 0 {
		rest.MCPServers = nil
	}
	if rest.IsEmpty() {
		v.report(at, ruleRequired, "", "the tool is empty; it must hold one, such as functionDeclarations or googleSearch")
	}
}

// functionNames differ, in all tools together.
func (v *checker) functionNames(root *wire.Location, tools []geminiapi.Tool) {
	list := root.Member("tools")
	declared := map[string]bool{}
	for i := range tools {
		tool := list.Element(i)
		functions := tool.Member("functionDeclarations")
		for j := range tools[i].FunctionDeclarations {
			name := textOf(tools[i].FunctionDeclarations[j].Name)
			if declared[name] {
				at := functions.Element(j)
				v.reportMember(&at, "name", ruleUnique, shortString(name), quote(name)+" is declared already; the names of functions must differ, in all tools together")
			}
			declared[name] = name != ""
		}
	}
}

func (v *checker) checkFunctionDeclaration(at *wire.Location, f *geminiapi.FunctionDeclaration) {
	v.functionName(at, f.Name)
	if f.Parameters != nil && len(f.ParametersJSONSchema) > 0 {
		v.reportMember(at, "parametersJsonSchema", ruleExcluded, "", "must be absent beside parameters")
	}
	if f.Response != nil && len(f.ResponseJSONSchema) > 0 {
		v.reportMember(at, "responseJsonSchema", ruleExcluded, "", "must be absent beside response")
	}
	v.jsonSchema(at, "parametersJsonSchema", f.ParametersJSONSchema)
	v.jsonSchema(at, "responseJsonSchema", f.ResponseJSONSchema)
	v.parameters(at, f.Parameters)
}

// parameters are the properties of an object.
func (v *checker) parameters(function *wire.Location, s *geminiapi.Schema) {
	if s == nil || s.Type == nil || !s.Type.Valid() || isEnum(s.Type, geminiapi.SchemaTypeObject) || isEnum(s.Type, geminiapi.SchemaTypeUnspecified) {
		return
	}
	at := function.Member("parameters")
	v.reportMember(&at, "type", ruleType, shortString(string(*s.Type)), "parameters must be of the type OBJECT, with a property for each")
}

func (v *checker) checkFunctionCall(at *wire.Location, c *geminiapi.FunctionCall) {
	v.functionName(at, c.Name)
}

func (v *checker) checkFunctionResponse(at *wire.Location, r *geminiapi.FunctionResponse) {
	v.functionName(at, r.Name)
	if len(r.Parts) > 0 && v.skipsFunctionResponsePart() {
		v.reportMember(at, "parts", ruleModel, "", v.modelName()+" takes no media in a functionResponse; put them into parts of their own behind it")
	}
}

// skipsFunctionResponsePart reports whether all such parts are refused, as the model takes none.
func (v *checker) skipsFunctionResponsePart() bool {
	return v.traits != nil && !v.traits.FunctionResponseParts
}

// maxFunctionName is the longest name, by Google's description.
const maxFunctionName = 128

// functionName checks the name in a declaration, a call or a response.
func (v *checker) functionName(function *wire.Location, name *string) {
	text := textOf(name)
	switch {
	case text == "":
		v.reportMember(function, "name", ruleRequired, "", "a function must have a name")
	case len(text) > maxFunctionName:
		v.reportMember(function, "name", ruleMax, shortString(text), "the name has "+strconv.Itoa(len(text))+" characters; must have 128 at most")
	case !isFunctionName(text):
		v.reportMember(function, "name", ruleFormat, shortString(text), quote(text)+
			" is no name of a function; must begin with a letter or underscore and go on with letters, digits, underscores, dots, colons or dashes")
	}
}

func isFunctionName(text string) bool {
	for i := range len(text) {
		c := text[i]
		first := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !first && (i == 0 || !('0' <= c && c <= '9' || c == '.' || c == ':' || c == '-')) {
			return false
		}
	}
	return true
}
