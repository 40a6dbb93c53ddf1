package stub

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// mark says how a value of the draft came there; 0 for what was there before.
type mark uint8

const (
	added mark = iota + 1
	replaced
)

// draft is our document as a YAML tree that is changed in place and remembers what was changed.
type draft struct {
	root     *yaml.Node
	nodes    map[*openapi.Value]*yaml.Node // where each value of the document is now
	marks    map[*yaml.Node]mark
	comments map[*yaml.Node]string // on what was replaced
}

func newDraft(doc *openapi.Document) *draft {
	d := &draft{nodes: map[*openapi.Value]*yaml.Node{}, marks: map[*yaml.Node]mark{}, comments: map[*yaml.Node]string{}}
	d.root = d.take(doc.Root)
	return d
}

// take copies a value. A value that aliases repeat is one node.
func (d *draft) take(v *openapi.Value) *yaml.Node {
	if n := d.nodes[v]; n != nil {
		return n
	}
	var n *yaml.Node
	switch v.Kind {
	case openapi.Mapping:
		n = mapping()
		for _, m := range v.Members {
			appendMember(n, m.Key, d.take(m.Value))
		}
	case openapi.List:
		n = sequence()
		for _, item := range v.Items {
			n.Content = append(n.Content, d.take(item))
		}
	default:
		n = scalar(scalarTags[v.Kind], v.Text)
	}
	d.nodes[v] = n
	return n
}

var scalarTags = map[openapi.Kind]string{
	openapi.Null:   "!!null",
	openapi.Bool:   "!!bool",
	openapi.String: "!!str",
}

// set gives a mapping a member, in the place of one with the same key.
func (d *draft) set(n *yaml.Node, key string, value *yaml.Node, comment string) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			d.marks[value], d.comments[value] = replaced, comment
			n.Content[i+1] = value
			return
		}
	}
	d.marks[value] = added
	appendMember(n, key, value)
	n.Content[len(n.Content)-2].HeadComment = comment
}

// push appends to a list.
func (d *draft) push(list, value *yaml.Node, comment string) {
	for _, item := range list.Content {
		if equal(item, value) {
			return
		}
	}
	d.marks[value] = added
	value.HeadComment = comment
	list.Content = append(list.Content, value)
}

// mappingIn returns the mapping that is a member of n, which is made when it is not there.
func (d *draft) mappingIn(n *yaml.Node, key string) *yaml.Node { return d.memberIn(n, key, mapping()) }

// listIn returns the list that is a member of n, which is made when it is not there.
func (d *draft) listIn(n *yaml.Node, key string) *yaml.Node { return d.memberIn(n, key, sequence()) }

func (d *draft) memberIn(n *yaml.Node, key string, empty *yaml.Node) *yaml.Node {
	if m := member(n, key); m != nil && m.Kind == empty.Kind {
		return m
	}
	d.set(n, key, empty, "")
	return empty
}

// listConst makes the const of a schema the first value of its enum.
func (d *draft) listConst(n *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == "const" {
			list := sequence()
			list.Content = append(list.Content, n.Content[i+1])
			n.Content = slices.Delete(n.Content, i, i+2)
			appendMember(n, enumList, list)
			d.marks[n] = replaced
			return
		}
	}
}

// replace puts a schema in the place of a value, which keeps its own description.
func (d *draft) replace(v *openapi.Value, schema *yaml.Node, comment string) {
	n := d.nodes[v]
	if own := member(n, "description"); own != nil {
		*member(schema, "description") = *own
	}
	n.Kind, n.Tag, n.Value, n.Style, n.Content = schema.Kind, schema.Tag, "", 0, schema.Content
	d.marks[n], d.comments[n] = replaced, comment
}

// widen makes a value one of several alternatives. Changes of the value go on to happen where it is
// now.
func (d *draft) widen(v *openapi.Value, alternatives []*yaml.Node, comment string) {
	n := d.nodes[v]
	inner := *n
	oneOf := sequence()
	oneOf.Content = append([]*yaml.Node{&inner}, alternatives...)
	n.Content = mapping(pair{"description", text(Todo)}, pair{"oneOf", oneOf}).Content
	d.nodes[v] = &inner
	d.marks[n], d.comments[n] = replaced, comment
}

// patch returns what of a value was changed, in its outline; nil when nothing was.
func (d *draft) patch(n *yaml.Node) *yaml.Node {
	if d.marks[n] != 0 {
		return n
	}
	switch n.Kind {
	case yaml.MappingNode:
		return d.patchMapping(n)
	case yaml.SequenceNode:
		return d.patchList(n)
	default:
		return nil
	}
}

func (d *draft) patchMapping(n *yaml.Node) *yaml.Node {
	out := mapping()
	for i := 0; i < len(n.Content); i += 2 {
		value := d.patch(n.Content[i+1])
		if value == nil {
			continue
		}
		key := *n.Content[i]
		if d.marks[n.Content[i+1]] == replaced {
			key.HeadComment = Replaces
			if words := d.comments[n.Content[i+1]]; words != "" {
				key.HeadComment += ": " + words
			}
		}
		out.Content = append(out.Content, &key, value)
	}
	if len(out.Content) == 0 {
		return nil
	}
	return out
}

// patchList returns the new elements alone. Inside an element nothing can be merged, since elements
// have no names: a list with a change inside is written whole, to replace the old one.
func (d *draft) patchList(n *yaml.Node) *yaml.Node {
	out := sequence()
	for _, item := range n.Content {
		if d.marks[item] == added {
			out.Content = append(out.Content, item)
			continue
		}
		if d.patch(item) != nil {
			d.marks[n] = replaced
			return n
		}
	}
	if len(out.Content) == 0 {
		return nil
	}
	return out
}
