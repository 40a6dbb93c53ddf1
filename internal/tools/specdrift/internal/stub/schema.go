package stub

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/drift"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// schema returns a schema, without description, for what one of theirs admits. What has a name in our
// document is referred to; their components, enums and objects with members become components of
// ours, under their name or, where they have none, the hint. Everything else stands in place.
func (w *writer) schema(theirs []*openapi.Value, hint string) (*yaml.Node, error) {
	set, err := w.theirs.CanonicalSet(theirs)
	if err != nil {
		return nil, err
	}
	key := shape.Identity(set)
	if name, ok := w.names[key]; ok {
		return reference(name), nil
	}
	sh, err := w.theirs.Of(set...)
	if err != nil {
		return nil, err
	}
	component, isComponent := componentName(set)
	switch {
	case isComponent:
		return w.define(component, key, set, sh)
	case isEnum(sh) || isMessage(sh):
		return w.define(hint, key, set, sh)
	case w.writing[key]:
		return nil, w.theirDoc.Errorf(set[0], "%w: a schema without a name that holds itself", openapi.ErrStructure)
	}
	w.writing[key] = true
	defer delete(w.writing, key)
	return w.content(set, sh, hint)
}

// wrappers are the steps from a component to what it is once null and words are taken off.
var wrappers = regexp.MustCompile(`(/(allOf|anyOf|oneOf)/\d+)+$`)

func componentName(set []*openapi.Value) (string, bool) {
	if len(set) != 1 {
		return "", false
	}
	return drift.Component(wrappers.ReplaceAllString(set[0].Pointer, ""))
}

func isEnum(sh *shape.Shape) bool {
	return len(sh.Types) == 1 && sh.Lists(sh.Types[0]) && !sh.IsOpen(sh.Types[0])
}

func isMessage(sh *shape.Shape) bool {
	return slices.Equal(sh.Types, []shape.Type{shape.Object}) && len(sh.Properties) > 0
}

// define adds a component of ours. Where we use the name for something else that no compared operation
// reaches, the new one gets a number and a word of warning. The key is the identity of the set, "" for
// a part of one.
func (w *writer) define(name, key string, set []*openapi.Value, sh *shape.Shape) (*yaml.Node, error) {
	base := forbidden.ReplaceAllString(name, "")
	if base == "" {
		base = "Schema"
	}
	free := base
	for i := 2; w.taken[free]; i++ {
		free = fmt.Sprintf("%s%d", base, i)
	}
	w.taken[free] = true
	if key != "" {
		w.names[key] = free
	}
	node, err := w.content(set, sh, free)
	if err != nil {
		return nil, err
	}
	comment := ""
	if free != base {
		comment = "another " + base + " is already there; use that if it means the same"
	}
	insertMember(node, afterType(node), "description", text(Todo))
	w.set(w.mappingIn(w.mappingIn(w.root, "components"), "schemas"), free, node, comment)
	return reference(free), nil
}

// forbidden is what the key of a component must not hold (OpenAPI 3.0.3, components object).
var forbidden = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// afterType is where a description belongs in a component: behind its type.
func afterType(n *yaml.Node) int {
	if len(n.Content) > 0 && n.Content[0].Value == "type" {
		return 1
	}
	return 0
}

// content writes the schema itself: alternatives of several types as oneOf, objects of several shapes
// as one object that has the members of all.
func (w *writer) content(set []*openapi.Value, sh *shape.Shape, hint string) (*yaml.Node, error) {
	if sh.Any || len(sh.Types) == 0 {
		return freeForm(), nil
	}
	if len(sh.Types) == 1 {
		return w.ofType(sh, sh.Types[0], hint)
	}
	if branches := alternatives(set); len(branches) > 1 {
		return w.oneOf(branches, hint)
	}
	oneOf := sequence()
	for _, t := range sh.Types {
		branch, err := w.named(sh, t, hint)
		if err != nil {
			return nil, err
		}
		oneOf.Content = append(oneOf.Content, branch)
	}
	return mapping(pair{"oneOf", oneOf}), nil
}

// alternatives are the members of a set or, when it is one schema, its branches other than null.
func alternatives(set []*openapi.Value) []*openapi.Value {
	if len(set) > 1 {
		return set
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if list := set[0].Get(keyword); list != nil {
			return slices.DeleteFunc(slices.Clone(list.Items), func(v *openapi.Value) bool {
				return v.Get("type").String() == "null"
			})
		}
	}
	return nil
}

func (w *writer) oneOf(branches []*openapi.Value, hint string) (*yaml.Node, error) {
	out := sequence()
	for _, b := range branches {
		branch, err := w.schema([]*openapi.Value{b}, hint)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out.Content, func(n *yaml.Node) bool { return equal(n, branch) }) {
			out.Content = append(out.Content, branch)
		}
	}
	return mapping(pair{"oneOf", out}), nil
}

// named is like ofType, but what belongs into a component goes there.
func (w *writer) named(sh *shape.Shape, t shape.Type, hint string) (*yaml.Node, error) {
	only := sh.Only(t)
	if isEnum(only) || isMessage(only) {
		return w.define(hint, "", nil, only)
	}
	return w.ofType(only, t, hint)
}

// ofType writes what the shape admits of one type.
func (w *writer) ofType(sh *shape.Shape, t shape.Type, hint string) (*yaml.Node, error) {
	out := mapping(pair{"type", text(string(t))})
	if formats := sh.Formats[t]; len(formats) == 1 {
		appendMember(out, "format", text(formats[0]))
	}
	switch {
	case t == shape.Object:
		return out, w.object(out, sh, hint)
	case t == shape.Array && len(sh.Items) > 0:
		items, err := w.schema(sh.Items, hint)
		appendMember(out, "items", items)
		return out, err
	case t == shape.Array:
		appendMember(out, "items", freeForm())
	case sh.Lists(t) && sh.IsOpen(t):
		appendMember(out, openEnum, boolean(true))
		appendMember(out, knownValues, valueList(sh.Values(t)))
	case sh.Lists(t):
		w.enum(out, sh.Values(t))
	}
	return out, nil
}

func (w *writer) object(out *yaml.Node, sh *shape.Shape, hint string) error {
	if len(sh.Properties) > 0 {
		properties := mapping()
		for _, p := range sh.Properties {
			schema, err := w.property(p.Sites, hint+pascal(p.Name))
			if err != nil {
				return err
			}
			appendMember(properties, p.Name, schema)
		}
		appendMember(out, "properties", properties)
	}
	if len(sh.MapValues) == 0 {
		return nil
	}
	values, err := w.theirs.Of(sh.MapValues...)
	if err != nil {
		return err
	}
	if values.Any {
		appendMember(out, "additionalProperties", boolean(true))
		appendMember(out, "x-free-form", boolean(true))
		return nil
	}
	schema, err := w.schema(sh.MapValues, hint+"Value")
	appendMember(out, "additionalProperties", schema)
	return err
}

func (w *writer) enum(out *yaml.Node, values []shape.EnumValue) {
	appendMember(out, enumList, valueList(values))
	if !w.describesEnums {
		return
	}
	descriptions := mapping()
	for _, v := range values {
		appendMember(descriptions, v.Text, text(Todo))
	}
	appendMember(out, enumDescriptions, descriptions)
}

func valueList(values []shape.EnumValue) *yaml.Node {
	list := sequence()
	for _, v := range values {
		list.Content = append(list.Content, valueNode(v))
	}
	return list
}

// property writes the schema of a member, with a description.
func (w *writer) property(theirs []*openapi.Value, hint string) (*yaml.Node, error) {
	schema, err := w.schema(theirs, hint)
	if err != nil {
		return nil, err
	}
	sh, err := w.theirs.Of(theirs...)
	if err != nil {
		return nil, err
	}
	out := described(schema)
	if sh.Nullable {
		appendMember(out, "nullable", boolean(true))
	}
	return out, nil
}

// described puts a description before a schema; OpenAPI 3.0 ignores what stands beside a $ref, so
// that goes into an allOf.
func described(schema *yaml.Node) *yaml.Node {
	if member(schema, "$ref") != nil {
		all := sequence()
		all.Content = append(all.Content, schema)
		all.Style = yaml.FlowStyle
		return mapping(pair{"description", text(Todo)}, pair{"allOf", all})
	}
	insertMember(schema, 0, "description", text(Todo))
	return schema
}

// hint makes the name of a component out of where a schema stands: Candidate and finishReason give
// CandidateFinishReason.
func hint(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		for _, word := range wordBreaks.Split(p, -1) {
			b.WriteString(pascal(word))
		}
	}
	return b.String()
}

var wordBreaks = regexp.MustCompile(`[^A-Za-z0-9]+`)

func pascal(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + word[size:]
}
