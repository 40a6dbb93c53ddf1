package valueschema

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxSteps limits the number of schemas that a value is checked against. Each counts as often as
// $ref, allOf, anyOf and other keywords repeat it. A schema of 2 KB can repeat its parts a billion
// times. A million steps take about a second.
const maxSteps = 1_000_000

// tooManySteps is the violation of a value whose check takes more than maxSteps.
func tooManySteps() []validation.Violation {
	return []validation.Violation{{
		Rule: "schema",
		Want: "must take at most " + strconv.Itoa(maxSteps) +
			" steps to check (the schema repeats its parts too often)",
	}}
}

// steps counts the schemas that a value is checked against, in the order in which the library
// visits them. It visits all alternatives. The library may stop at the first one that matches.
type steps struct {
	count int
}

// exceeds reports whether the check of a value takes more than maxSteps.
func exceeds(s *jsonschema.Schema, value any) bool {
	var n steps
	n.value(s, value)
	return n.count > maxSteps
}

// value counts the steps for a value that no other schema was applied to yet.
func (n *steps) value(s *jsonschema.Schema, value any) { n.apply(s, value, nil) }

// apply counts the steps of a schema. before are the schemas that led to it for the same value. The
// library ends a cycle of them with an error.
func (n *steps) apply(s *jsonschema.Schema, value any, before []*jsonschema.Schema) {
	if s == nil || n.count > maxSteps || slices.Contains(before, s) {
		return
	}
	n.count += 1 + len(before)/8 + size(s)
	if !admits(s, value) {
		return
	}
	before = append(slices.Clip(before), s)
	for _, other := range sameValue(s) {
		n.apply(other, value, before)
	}
	switch value := value.(type) {
	case map[string]any:
		n.members(s, value, before)
	case []any:
		n.elements(s, value)
	}
}

// size returns the number of list entries that the library visits for a schema itself.
func size(s *jsonschema.Schema) int {
	entries := len(s.Required) + len(s.PatternProperties)
	if s.Enum != nil {
		entries += len(s.Enum.Values)
	}
	return entries
}

// admits reports whether a schema allows the type of a value. Otherwise the check of the schema
// ends early.
func admits(s *jsonschema.Schema, value any) bool {
	if s.Types == nil || s.Types.IsEmpty() {
		return true
	}
	var names []string
	switch value.(type) {
	case nil:
		names = []string{"null"}
	case bool:
		names = []string{"boolean"}
	case string:
		names = []string{"string"}
	case []any:
		names = []string{"array"}
	case map[string]any:
		names = []string{"object"}
	default:
		names = []string{"number", "integer"}
	}
	return slices.ContainsFunc(s.Types.ToStrings(),
		func(name string) bool { return slices.Contains(names, name) })
}

// sameValue returns the subschemas that a schema applies to the same value.
func sameValue(s *jsonschema.Schema) []*jsonschema.Schema {
	all := slices.Concat(s.AllOf, s.AnyOf, s.OneOf,
		[]*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else})
	if s.DynamicRef != nil {
		all = append(all, s.DynamicRef.Ref)
	}
	return all
}

// members counts the steps of a schema's keywords for the members of an object.
func (n *steps) members(s *jsonschema.Schema, object map[string]any, before []*jsonschema.Schema) {
	for name, other := range s.DependentSchemas {
		if _, isSet := object[name]; isSet {
			n.apply(other, object, before)
		}
	}
	for name, dependency := range s.Dependencies {
		other, isSchema := dependency.(*jsonschema.Schema)
		if _, isSet := object[name]; isSet && isSchema {
			n.apply(other, object, before)
		}
	}
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for name, member := range object {
		n.value(s.Properties[name], member)
		for pattern, other := range s.PatternProperties {
			if pattern.MatchString(name) {
				n.value(other, member)
			}
		}
		n.value(additional, member)
		n.value(s.UnevaluatedProperties, member)
		n.value(s.PropertyNames, name)
		if n.count > maxSteps {
			return
		}
	}
}

// elements counts the steps of a schema's keywords for the elements of a list.
func (n *steps) elements(s *jsonschema.Schema, list []any) {
	first := s.PrefixItems
	rest := s.Items2020
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		rest = items
	case []*jsonschema.Schema:
		first = items
		rest, _ = s.AdditionalItems.(*jsonschema.Schema)
	}
	for i, element := range list {
		if i < len(first) {
			n.value(first[i], element)
		} else {
			n.value(rest, element)
		}
		n.value(s.Contains, element)
		n.value(s.UnevaluatedItems, element)
		if n.count > maxSteps {
			return
		}
	}
}
