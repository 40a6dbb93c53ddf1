package interactions

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// toolCombination is a pair of tools that Google refuses in one request.
type toolCombination struct {
	rule          string // names it
	refused, with interactionsapi.ToolType
}

// toolCombinations are the pairs of tools that Google refuses. The list is never modified.
var toolCombinations = []toolCombination{
	{"file_search_google_search", interactionsapi.ToolTypeFileSearch,
		interactionsapi.ToolTypeGoogleSearch},
	{"file_search_url_context", interactionsapi.ToolTypeFileSearch,
		interactionsapi.ToolTypeURLContext},
}

// tools checks the tools and their combination.
func (c *requestChecker) tools(r *interactionsapi.CreateInteractionRequest) {
	list := c.root.Member("tools")
	first := map[interactionsapi.ToolType]int{} // the first tool of a type
	names := map[string]bool{}
	for i := range r.Tools {
		at, tool := list.Element(i), &r.Tools[i]
		if _, ok := first[tool.Type]; !ok {
			first[tool.Type] = i
		}
		c.want(tool.Type != "", &at, "type", "required", "must be set")
		c.tool(&at, tool)
		if name := jsonx.Deref(tool.Name); tool.Type == interactionsapi.ToolTypeFunction &&
			name != "" {
			c.want(!names[name], &at, "name", "unique",
				"must differ from the name of any earlier function")
			names[name] = true
		}
	}
	for _, pair := range toolCombinations {
		i, isRefused := first[pair.refused]
		if _, ok := first[pair.with]; ok && isRefused {
			c.report("/tools/"+strconv.Itoa(i), pair.rule,
				"must be absent, because there is a tool of type "+string(pair.with))
		}
	}
}

func (c *requestChecker) tool(at *codec.Location, t *interactionsapi.Tool) {
	switch t.Type {
	case interactionsapi.ToolTypeFunction:
		c.want(jsonx.Deref(t.Name) != "", at, "name", "required", "must be set")
		if t.Parameters.Kind() == jsontext.KindBeginObject {
			in := at.Member("parameters")
			c.schema(in.Pointer(), t.Parameters)
		}
	case interactionsapi.ToolTypeGoogleSearch:
		list := at.Member("search_types")
		for i, kind := range t.SearchTypes {
			in := list.Element(i)
			c.enum(&in, string(kind))
			if kind == interactionsapi.SearchTypeEnterpriseWebSearch && !c.isVertex {
				c.report(in.Pointer(), "vertex",
					"must be another search on the Gemini API; only Vertex AI has this one")
			}
		}
	case interactionsapi.ToolTypeComputerUse:
		c.lowerCase(at, "environment", string(jsonx.Deref(t.Environment)))
	case interactionsapi.ToolTypeRetrieval:
		c.vertexOnly(true, at, "type")
	}
}

// maxSchemaDepth limits how deep a schema is checked.
const maxSchemaDepth = 64

// schema reports each empty list in required, which Google refuses, at any depth of a JSON Schema.
func (c *requestChecker) schema(pointer string, schema jsontext.Value) {
	c.schemaWithin(pointer, schema, maxSchemaDepth)
}

func (c *requestChecker) schemaWithin(pointer string, schema jsontext.Value, depth int) {
	if depth == 0 {
		return
	}
	for name, value := range jsonx.Members(schema) {
		at := pointer + "/" + escaped(name)
		switch value.Kind() {
		case jsontext.KindBeginArray:
			elements := jsonx.Elements(value)
			if name == "required" && len(elements) == 0 {
				c.report(at, "length", "must have at least 1 element, or be absent")
			}
			for i, element := range elements {
				if element.Kind() == jsontext.KindBeginObject && !isExample(name) {
					c.schemaWithin(at+"/"+strconv.Itoa(i), element, depth-1)
				}
			}
		case jsontext.KindBeginObject:
			if !isExample(name) {
				c.schemaWithin(at, value, depth-1)
			}
		}
	}
}

// isExample reports whether a member of a schema has values in place of schemas.
func isExample(name string) bool {
	return name == "enum" || name == "const" || name == "default" || name == "examples" ||
		name == "example"
}

// escaped returns a name as it is in a JSON pointer.
func escaped(name string) string {
	var root codec.Location
	at := root.Member(name)
	return at.Pointer()[1:]
}
