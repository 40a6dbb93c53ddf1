package stub

import (
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

// oldBooleans are strings that YAML 1.1, which many tools still read, takes for booleans; the library
// quotes the rest.
var oldBooleans = regexp.MustCompile(`^(?i:y|n|yes|no|on|off)$`)

func text(value string) *yaml.Node {
	n := scalar("!!str", value)
	if oldBooleans.MatchString(value) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func boolean(b bool) *yaml.Node {
	if b {
		return scalar("!!bool", "true")
	}
	return scalar("!!bool", "false")
}

// valueNode is an enum value; a number has no tag, so that it is written as it came.
func valueNode(v shape.EnumValue) *yaml.Node {
	switch v.Type {
	case shape.String:
		return text(v.Text)
	case shape.Boolean:
		return scalar("!!bool", v.Text)
	default:
		return scalar("", v.Text)
	}
}

func sequence() *yaml.Node { return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"} }

// pair is a member of a mapping.
type pair struct {
	key   string
	value *yaml.Node
}

func mapping(members ...pair) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, m := range members {
		appendMember(n, m.key, m.value)
	}
	return n
}

// freeForm admits anything; in Go it becomes raw JSON.
func freeForm() *yaml.Node { return mapping(pair{"x-free-form", boolean(true)}) }

func reference(component string) *yaml.Node {
	target := text("#/components/schemas/" + component)
	target.Style = yaml.DoubleQuotedStyle
	n := mapping(pair{"$ref", target})
	n.Style = yaml.FlowStyle
	return n
}

func member(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func appendMember(n *yaml.Node, key string, value *yaml.Node) {
	n.Content = append(n.Content, text(key), value)
}

// insertMember puts a member behind the first at members.
func insertMember(n *yaml.Node, at int, key string, value *yaml.Node) {
	n.Content = slices.Insert(n.Content, 2*at, text(key), value)
}

// equal compares what two nodes say, whatever their style.
func equal(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Value == b.Value && slices.EqualFunc(a.Content, b.Content, equal)
}
