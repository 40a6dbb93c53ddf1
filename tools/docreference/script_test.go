package docreference

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// schemaNode is a part of the JSON Schema of scripts. Its properties keep their order.
type schemaNode struct {
	Description string                `json:"description"`
	Type        string                `json:"type"`
	Ref         string                `json:"$ref"`
	Enum        []string              `json:"enum"`
	Items       *schemaNode           `json:"items"`
	AnyOf       []schemaNode          `json:"anyOf"`
	Properties  orderedNodes          `json:"properties"`
	Defs        map[string]schemaNode `json:"$defs"`
}

type orderedNodes []struct {
	name string
	node schemaNode
}

func (o *orderedNodes) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != jsontext.KindEndObject {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		text := name.String()
		var node schemaNode
		if err := json.UnmarshalDecode(dec, &node); err != nil {
			return err
		}
		*o = append(*o, struct {
			name string
			node schemaNode
		}{text, node})
	}
	_, err := dec.ReadToken()
	return err
}

// scriptParts are the parts of a script, from the outside to the inside.
var scriptParts = []struct{ name, title string }{
	{"", "The file"},
	{"fixture", "A fixture"},
	{"match", "Conditions on a request: match"},
	{"text", "A condition on a text"},
	{"reply", "An answer: reply"},
	{"block", "A block of an answer"},
	{"fault", "A fault"},
}

// scriptPage describes the files of gemwire emulate --script, from their JSON Schema.
func scriptPage(t *testing.T) string {
	var schema schemaNode
	if err := json.Unmarshal([]byte(fakegemini.ScriptSchema()), &schema); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# The script format of the fake server\n\n```sh\ngemwire emulate --script script.yaml\n```\n\n" +
		"```yaml\nfixtures:\n  - match: {prompt: weather}\n    reply: It has 21 degrees in Porto.\n```\n\n" +
		"A script is YAML or JSON. `gemwire emulate --script-schema` prints a JSON Schema, with which editors\n" +
		"complete and check a file. [Scripts](../testing-scripts.md) has examples.\n")
	for _, part := range scriptParts {
		node := schema
		if part.name != "" {
			node = schema.Defs[part.name]
		}
		properties := node.Properties
		for _, choice := range node.AnyOf {
			properties = append(properties, choice.Properties...)
		}
		if len(properties) == 0 {
			t.Fatalf("the schema of scripts has no members of %q", part.name)
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n%s", part.title, node.Description, head("member", "value", "meaning"))
		for _, p := range properties {
			meaning := p.node.Description
			if len(p.node.Enum) > 0 {
				var words []string
				for _, word := range p.node.Enum {
					words = append(words, code(word))
				}
				meaning += " One of " + strings.Join(words, ", ") + "."
			}
			b.WriteString(row(code(p.name), valueOf(&p.node), meaning))
		}
	}
	return b.String()
}

// valueOf returns what a member takes, in words.
func valueOf(n *schemaNode) string {
	switch {
	case n.Ref != "":
		name := n.Ref[strings.LastIndexByte(n.Ref, '/')+1:]
		for _, part := range scriptParts {
			if part.name == name {
				return name
			}
		}
		return map[string]string{"duration": "a duration, for example `200ms`", "pieces": "a text, or a list of texts"}[name]
	case len(n.Enum) > 0:
		return "a word"
	case n.Items != nil:
		return "a list of " + strings.TrimPrefix(strings.TrimPrefix(valueOf(n.Items), "a "), "an ")
	case len(n.AnyOf) > 0:
		var choices []string
		for i := range n.AnyOf {
			choices = append(choices, valueOf(&n.AnyOf[i]))
		}
		return strings.Join(choices, ", or ")
	}
	return map[string]string{"string": "a text", "integer": "an integer", "number": "a number", "boolean": "true or false",
		"object": "an object", "": "any value"}[n.Type]
}
