package main

import "slices"

// jsonType is a JSON type in a schema. null is not one of them.
type jsonType = string

const (
	objectType  jsonType = "object"
	arrayType   jsonType = "array"
	stringType  jsonType = "string"
	numberType  jsonType = "number"
	integerType jsonType = "integer"
	booleanType jsonType = "boolean"
)

// shape has the values that a set of alternative schemas admits, in a form that does not depend on
// names and nesting, so that two documents can be compared: references followed; allOf, oneOf and
// anyOf folded into one set of types, properties and enum values. Left out are the keywords that
// narrow a value without giving it another type or member: required, limits, patterns, not, and
// if/then/else.
type shape struct {
	any bool // every type is admitted: a schema without type, or true
	// sorted; empty with any, and for what admits only null or nothing
	types []jsonType
	// the types that admit values which are not listed
	plain      []jsonType
	nullable   bool                  // null is admitted explicitly
	enum       []enumValue           // in the order of the document
	formats    map[jsonType][]string // in the order of the document
	properties map[string][]*value   // the schemas that the alternatives give each named member
	mapValues  []*value              // the schemas of members of any name (additionalProperties)
	elements   []*value              // the schemas of an array's elements
	leaves     []*value              // the schema objects that the shape was folded from
}

// enumValue is one value of an enum.
type enumValue struct {
	of    jsonType
	text  string   // a string itself, else the JSON text
	sites []*value // the places in the document that list it
}

func (v enumValue) same(other enumValue) bool { return v.of == other.of && v.text == other.text }

// has reports whether the shape names t among its types.
func (s *shape) has(t jsonType) bool { return slices.Contains(s.types, t) }

// values returns the listed values of type t.
func (s *shape) values(t jsonType) []enumValue {
	return slices.DeleteFunc(slices.Clone(s.enum), func(v enumValue) bool { return v.of != t })
}

// lists reports whether the shape lists values of type t. It may accept others too.
func (s *shape) lists(t jsonType) bool { return len(s.values(t)) > 0 }

// isOpen reports whether unlisted values of type t are accepted.
func (s *shape) isOpen(t jsonType) bool { return s.any || slices.Contains(s.plain, t) }

// both returns the shape that two schemas of an allOf, or a schema and its own oneOf, admit
// together. Properties are united, because a value has them all; so are enum values, because the
// narrower of two lists says less about what the API knows. If one of them only describes a
// property, the property is taken from the other.
func both(a, b *shape) *shape {
	out := union(a, b)
	for name := range out.properties {
		switch ofA, ofB := a.properties[name], b.properties[name]; {
		case ofA == nil || ofB == nil:
		case !slices.ContainsFunc(ofA, saysSomething):
			out.properties[name] = ofB
		case !slices.ContainsFunc(ofB, saysSomething):
			out.properties[name] = ofA
		}
	}
	out.any = a.any && b.any
	switch {
	case a.any:
		out.types, out.plain = b.types, b.plain
	case b.any:
		out.types, out.plain = a.types, a.plain
	default:
		out.types = common(a.types, b.types)
		out.plain = common(a.plain, b.plain)
		if len(out.types) == 0 { // nothing satisfies both: the document means one of them
			out.types = sorted(append(slices.Clone(a.types), b.types...))
		}
	}
	return out
}

// either returns the shape that accepts every value of two alternatives.
func either(a, b *shape) *shape {
	out := union(a, b)
	out.any = a.any || b.any
	out.types = sorted(append(slices.Clone(a.types), b.types...))
	out.plain = sorted(append(slices.Clone(a.plain), b.plain...))
	return out
}

// common returns the types in both lists. A number and an integer have the integer in common.
func common(a, b []jsonType) []jsonType {
	var out []jsonType
	for _, t := range a {
		switch {
		case slices.Contains(b, t):
			out = append(out, t)
		case t == integerType && slices.Contains(b, numberType),
			t == numberType && slices.Contains(b, integerType):
			out = append(out, integerType)
		}
	}
	return sorted(out)
}

func sorted(types []jsonType) []jsonType {
	slices.Sort(types)
	return slices.Compact(types)
}

// union joins two shapes, except for their types.
func union(a, b *shape) *shape {
	out := &shape{formats: map[jsonType][]string{}, properties: map[string][]*value{}}
	for _, s := range []*shape{a, b} {
		out.nullable = out.nullable || s.nullable
		out.mapValues = addOnce(out.mapValues, s.mapValues...)
		out.elements = addOnce(out.elements, s.elements...)
		out.leaves = addOnce(out.leaves, s.leaves...)
		for _, v := range s.enum {
			out.addEnum(v)
		}
		for name, sites := range s.properties {
			out.properties[name] = addOnce(out.properties[name], sites...)
		}
		for t, formats := range s.formats {
			out.formats[t] = addOnce(out.formats[t], formats...)
		}
	}
	return out
}

func (s *shape) addEnum(v enumValue) {
	i := slices.IndexFunc(s.enum, v.same)
	if i < 0 {
		s.enum = append(s.enum, v)
		return
	}
	s.enum[i].sites = addOnce(s.enum[i].sites, v.sites...)
}

// addOnce adds values that are not yet in the list. It copies the list, because other lists may
// share its array.
func addOnce[T comparable](list []T, values ...T) []T {
	for _, v := range values {
		if !slices.Contains(list, v) {
			list = append(slices.Clip(list), v)
		}
	}
	return list
}
