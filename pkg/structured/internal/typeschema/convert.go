package typeschema

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// definitionPrefix is the prefix of a reference.
const definitionPrefix = "#/$defs/"

// definitionName returns the name of the type that a schema refers to, "" if it refers to none.
func definitionName(s *jsonschema.Schema) string { return strings.TrimPrefix(s.Ref, definitionPrefix) }

// schemaOf converts a schema of the library and adds the tags of the type and the rules. It
// replaces references by what they refer to, except in recursive types.
func (g *generator) schemaOf(s *jsonschema.Schema, t reflect.Type, rules []string) (*schema,
	error) {
	if name := definitionName(s); slices.Contains(g.within, name) {
		g.cited[name] = true
		return &schema{Ref: s.Ref}, nil
	}
	outside := len(g.within)
	defer func() { g.within = g.within[:outside] }()
	s, t, err := g.resolve(s, t)
	if err != nil {
		return nil, err
	}
	out := keywordsOf(s)
	if err := g.addProperties(out, s, t); err != nil {
		return nil, err
	}
	if err := g.addElements(out, s, t, elementRules(rules)); err != nil {
		return nil, err
	}
	if out.PrefixItems, err = g.schemasOf(s.PrefixItems); err != nil {
		return nil, err
	}
	if out.AnyOf, err = g.schemasOf(slices.Concat(s.AnyOf, s.OneOf)); err != nil {
		return nil, err
	}
	if t != nil {
		addRules(out, t.Kind(), rules)
	}
	return out, nil
}

func (g *generator) schemasOf(list []*jsonschema.Schema) ([]*schema, error) {
	var out []*schema
	for _, s := range list {
		one, err := g.schemaOf(s, nil, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// resolve returns the schema that a schema refers to, with the reference's description, and its
// type.
func (g *generator) resolve(s *jsonschema.Schema, t reflect.Type) (*jsonschema.Schema, reflect.Type,
	error) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for name := definitionName(s); name != ""; name = definitionName(s) {
		if g.definitions[name] == nil || slices.Contains(g.within, name) {
			return nil, nil,
				fmt.Errorf("structured: the schema refers to %q, which does not exist", s.Ref)
		}
		g.within = append(g.within, name)
		definition := *g.definitions[name]
		definition.Title = cmp.Or(s.Title, definition.Title)
		definition.Description = cmp.Or(s.Description, definition.Description)
		s, t = &definition, g.types[name]
	}
	return s, t, nil
}

// addElements adds the schemas of the elements of a list or a map, with the rules for them.
func (g *generator) addElements(out *schema, s *jsonschema.Schema, t reflect.Type,
	rules []string) (err error) {
	var element reflect.Type
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array ||
		t.Kind() == reflect.Map) {
		element = t.Elem()
	}
	if s.Items != nil {
		if out.Items, err = g.schemaOf(s.Items, element, rules); err != nil {
			return err
		}
	}
	more := s.AdditionalProperties
	for _, values := range s.PatternProperties { // of a map whose keys are numbers
		more = values
	}
	switch more {
	case nil:
		return nil
	case jsonschema.FalseSchema:
		out.AdditionalProperties = &additional{}
		return nil
	}
	values, err := g.schemaOf(more, element, rules)
	out.AdditionalProperties = &additional{values}
	return err
}

// citedDefinitions returns the types that were referred to. Making the schema of one may add
// references to others.
func (g *generator) citedDefinitions() (members, error) {
	var out members
	written := map[string]bool{}
	for len(written) < len(g.cited) {
		for _, name := range slices.Sorted(maps.Keys(g.cited)) {
			if written[name] {
				continue
			}
			written[name] = true
			definition, err := g.schemaOf(&jsonschema.Schema{Ref: definitionPrefix + name}, nil,
				nil)
			if err != nil {
				return nil, err
			}
			out = append(out, member{name, definition})
			break
		}
	}
	return out, nil
}
