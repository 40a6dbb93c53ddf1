package requestcheck

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// checkTool: the Gemini API requires one initialised tool type, and an empty list does not count
// ("required one_of 'tool_type' must have one initialized field").
func (v *checker) checkTool(at *codec.Location, t *geminiapi.Tool) {
	if v.backend != GeminiAPI {
		return
	}
	rest := *t
	if len(rest.FunctionDeclarations) == 0 {
		rest.FunctionDeclarations = nil
	}
	if len(rest.MCPServers) == 0 {
		rest.MCPServers = nil
	}
	if rest.IsEmpty() {
		v.report(at, ruleRequired, "",
			"the tool is empty; it must hold one, such as functionDeclarations or googleSearch")
	}
}

// functionNames checks that names are unique in all tools ("Duplicate function declaration found").
func (v *checker) functionNames(root *codec.Location, tools []geminiapi.Tool) {
	list := root.Member("tools")
	declared := map[string]bool{}
	for i := range tools {
		tool := list.Element(i)
		functions := tool.Member("functionDeclarations")
		for j := range tools[i].FunctionDeclarations {
			name := textOf(tools[i].FunctionDeclarations[j].Name)
			if declared[name] {
				at := functions.Element(j)
				v.reportMember(&at, "name", ruleUnique, shortString(name),
					quote(name)+
						" is declared already; function names must be unique in all tools")
			}
			declared[name] = name != ""
		}
	}
}

func (v *checker) checkFunctionDeclaration(at *codec.Location, f *geminiapi.FunctionDeclaration) {
	v.declaredName(at, textOf(f.Name))
	if f.Parameters != nil && len(f.ParametersJSONSchema) > 0 {
		v.reportMember(at, "parametersJsonSchema", ruleExcluded, "",
			"must be absent if parameters is set")
	}
	if f.Response != nil && len(f.ResponseJSONSchema) > 0 {
		v.reportMember(at, "responseJsonSchema", ruleExcluded, "", "must be absent if response is set")
	}
	v.jsonSchema(at, "parametersJsonSchema", f.ParametersJSONSchema)
	v.jsonSchema(at, "responseJsonSchema", f.ResponseJSONSchema)
	v.parameters(at, f.Parameters)
}

// parameters checks that a schema is an object ("parameters schema should be of type OBJECT").
func (v *checker) parameters(function *codec.Location, s *geminiapi.Schema) {
	if s == nil || s.Type == nil || !s.Type.Valid() || isEnum(s.Type, geminiapi.SchemaTypeObject) ||
		isEnum(s.Type, geminiapi.SchemaTypeUnspecified) {
		return
	}
	at := function.Member("parameters")
	v.reportMember(&at, "type", ruleType, shortString(string(*s.Type)),
		"parameters must be of the type OBJECT, with a property for each")
}

// checkFunctionCall: Vertex AI streams calls in pieces. Only the first has the name, and the last
// may be empty. It accepted an unchanged first piece, and is not known to refuse the others.
func (v *checker) checkFunctionCall(at *codec.Location, c *geminiapi.FunctionCall) {
	if isPiece := c.IsEmpty() || len(c.PartialArgs) > 0 || c.WillContinue != nil; !isPiece ||
		v.backend == GeminiAPI {
		v.hasName(at, textOf(c.Name))
	}
}

func (v *checker) checkFunctionResponse(at *codec.Location, r *geminiapi.FunctionResponse) {
	v.hasName(at, textOf(r.Name))
	if len(r.Parts) > 0 && v.skipsFunctionResponsePart() {
		v.reportMember(at, "parts", ruleModel, "",
			v.modelName()+
				" does not accept media in a functionResponse; put them into separate parts after it")
	}
	v.references(at, r)
}

// references: $ref in a result names media of the response. The backends refuse a result that uses
// $ref differently, such as a JSON Schema: "The referenced name ... does not match to a
// display_name" (github.com/vercel/ai/issues/14369).
func (v *checker) references(at *codec.Location, r *geminiapi.FunctionResponse) {
	for _, name := range jsonx.References(r.Response) {
		if !v.isReturned(at) &&
			!slices.ContainsFunc(r.Parts,
				func(p geminiapi.FunctionResponsePart) bool { return displayName(&p) == name }) {
			v.reportMember(at, "response", ruleDeclared, shortString(name),
				"$ref "+quote(name)+
					" does not name media of the response; send such a result as JSON text, such as {\"output\": \"...\"}")
			return
		}
	}
}

func displayName(p *geminiapi.FunctionResponsePart) string {
	switch {
	case p.InlineData != nil:
		return textOf(p.InlineData.DisplayName)
	case p.FileData != nil:
		return textOf(p.FileData.DisplayName)
	default:
		return ""
	}
}

// skipsFunctionResponsePart reports whether the model refuses all such parts.
func (v *checker) skipsFunctionResponsePart() bool {
	return v.traits != nil && !v.traits.FunctionResponseParts
}

// maxFunctionName is the maximum length of a name, from Google's description.
const maxFunctionName = 128

// declaredName checks the name of a function. In calls and responses the backends are known to
// refuse only an empty name: models also call functions that are not declared.
func (v *checker) declaredName(function *codec.Location, name string) {
	switch {
	case !v.hasName(function, name):
	case len(name) > maxFunctionName:
		v.reportMember(function, "name", ruleMax, shortString(name),
			"the name has "+strconv.Itoa(len(name))+" characters; must have 128 at most")
	case !isFunctionName(name):
		v.reportMember(function, "name", ruleFormat, shortString(name), quote(name)+
			" is not a function name; must begin with a letter or underscore, followed by letters, digits, underscores, dots, colons or dashes")
	}
}

// hasName reports a function, a call or a response without a name ("Name cannot be empty").
func (v *checker) hasName(function *codec.Location, name string) bool {
	if name == "" {
		v.reportMember(function, "name", ruleRequired, "", "a function must have a name")
	}
	return name != ""
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
