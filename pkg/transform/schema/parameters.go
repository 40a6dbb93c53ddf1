package schema

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// parametersOf returns the result of the outermost shape as the parameters of a function, which the
// API requires to be one object.
func (c *converter) parametersOf(s *shape) *geminiapi.Schema {
	if s.never != nil {
		c.fail(s.never, ErrNotObject)
	}
	c.makeObject(s)
	own := s.withoutAnnotations() // the annotations belong to the one object
	list := c.possible(nil, &own)
	if len(list) == 0 {
		c.fail(s.at, ErrNotObject)
	}
	if c.err != nil {
		return nil
	}
	list = []geminiapi.Schema{c.fold(list)}
	c.annotate(list, s)
	return &list[0]
}

// makeObject limits a shape to objects.
func (c *converter) makeObject(s *shape) {
	switch {
	case s.types == 0 && len(s.choices) == 0:
		c.added(s.at, "type", "parameters must be an object")
	case s.types != 0 && s.types&typeObject == 0:
		c.fail(s.at, ErrNotObject)
	case s.types != typeObject && s.typeOrder != nil:
		c.report(report.Approximated, s.typeOrder, "parameters must be an object")
	}
	s.types, s.isParameters = typeObject, true
}

// fold merges several objects into one. It has the properties of all of them, each with all its
// possible schemas, and requires what all of them require.
func (c *converter) fold(list []geminiapi.Schema) geminiapi.Schema {
	out := list[0]
	if len(list) == 1 {
		return out
	}
	variants := map[string]*alternativeSet{}
	var order []string
	for i := range list {
		for _, name := range propertyNames(&list[i]) {
			if variants[name] == nil {
				variants[name] = &alternativeSet{}
				order = append(order, name)
			}
			variants[name].add(list[i].Properties[name])
		}
	}
	out.Properties = make(map[string]geminiapi.Schema, len(variants))
	for name, d := range variants {
		out.Properties[name] = *one(c.mergeEnums(d.withoutNull()))
	}
	if len(order) > 1 {
		out.PropertyOrdering = order
	}
	foldRest(&out, list)
	return out
}

// propertyNames returns the names of an object's properties. Names with an order come first.
func propertyNames(object *geminiapi.Schema) []string {
	out := slices.Clone(object.PropertyOrdering)
	if len(out) >= len(object.Properties) {
		return out
	}
	isOrdered := map[string]bool{}
	for _, name := range out {
		isOrdered[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(object.Properties)) {
		if !isOrdered[name] {
			out = append(out, name)
		}
	}
	return out
}

// foldRest merges the other keywords of a list of objects into the first one, so that it allows
// what any of them allows.
func foldRest(out *geminiapi.Schema, list []geminiapi.Schema) {
	requiring := map[string]int{}
	var descriptions jsonx.UniqueList[string]
	for i := range list {
		object := &list[i]
		for _, name := range object.Required {
			requiring[name]++
		}
		if object.Description != nil {
			descriptions.Add([]string{*object.Description})
		}
		out.MinProperties = looser(out.MinProperties, object.MinProperties, false)
		out.MaxProperties = looser(out.MaxProperties, object.MaxProperties, true)
		if !bytes.Equal(out.AdditionalProperties, object.AdditionalProperties) {
			out.AdditionalProperties = nil
		}
		out.Title = cmp.Or(out.Title, object.Title)
		out.Default = firstOf(out.Default, object.Default)
		out.Example = firstOf(out.Example, object.Example)
	}
	out.Required = orNil(slices.DeleteFunc(out.Required,
		func(name string) bool { return requiring[name] < len(list) }))
	if texts := descriptions.Values(); len(texts) > 0 {
		out.Description = new(strings.Join(texts, "\n\n"))
	}
}

func firstOf(a, b jsontext.Value) jsontext.Value {
	if a != nil {
		return a
	}
	return b
}

// looser returns the less strict of two lengths, or nil if one of them is no limit.
func looser(a, b *wiretype.Int64, isMaximum bool) *wiretype.Int64 {
	switch {
	case a == nil || b == nil:
		return nil
	case (a.Int64() > b.Int64()) == isMaximum:
		return a
	default:
		return b
	}
}
