// Package shape says what JSON a schema of an OpenAPI document admits, in a form in which two
// documents can be compared whatever their authors named and nested: references followed, allOf,
// oneOf and anyOf folded into one set of types, properties and enum values.
//
// Left out are the keywords that narrow a value without giving it another type or member: required,
// limits, patterns, not, and if/then/else.
package shape

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// Type is a JSON type as a schema names it. Null is not one; see [Shape.Nullable].
type Type string

// The types that the comparison has rules for.
const (
	// Object is a JSON object.
	Object Type = "object"
	// Array is a JSON array.
	Array Type = "array"
	// String is a JSON string.
	String Type = "string"
	// Number is any JSON number.
	Number Type = "number"
	// Integer is a JSON number without fraction.
	Integer Type = "integer"
	// Boolean is true or false.
	Boolean Type = "boolean"
)

// Shape is what a set of alternative schemas admits. It does not change once it is made.
type Shape struct {
	// Any is set when every type is admitted: a schema without type, or true.
	Any bool
	// Types are the admitted types, sorted. Empty with Any, and for what admits only null or nothing.
	Types []Type
	// Plain are those of Types that some alternative admits without listing values: an enum
	// whose type is in Plain is open.
	Plain []Type
	// Nullable is set when null is admitted in so many words.
	Nullable bool
	// Enum are the listed values in the order of the document.
	Enum []EnumValue
	// Formats are the formats given for a type, in the order of the document.
	Formats map[Type][]string
	// Properties are the named members of objects, sorted by name.
	Properties []Property
	// MapValues are the schemas of members of any name (additionalProperties, also when it is true).
	MapValues []*openapi.Value
	// Items are the schemas of an array's elements.
	Items []*openapi.Value
	// Leaves are the schema objects that the shape was folded from.
	Leaves []*openapi.Value
}

// EnumValue is one value of an enum.
type EnumValue struct {
	// Type is the value's type.
	Type Type
	// Text is the value: a string itself, else its JSON text.
	Text string
	// Sites are the places in the document that list it.
	Sites []*openapi.Value
}

// Same reports whether both are the same JSON value.
func (v EnumValue) Same(other EnumValue) bool { return v.Type == other.Type && v.Text == other.Text }

// Property is one named member of an object.
type Property struct {
	// Name is the member's key.
	Name string
	// Sites are the schemas that the alternatives give it, at least one.
	Sites []*openapi.Value
}

// Has reports whether the shape names t among its types.
func (s *Shape) Has(t Type) bool { return slices.Contains(s.Types, t) }

// Property returns the schemas of a named member, nil when the shape does not name it.
func (s *Shape) Property(name string) []*openapi.Value {
	if i, found := s.find(name); found {
		return s.Properties[i].Sites
	}
	return nil
}

func (s *Shape) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s.Properties, name, func(p Property, name string) int {
		return strings.Compare(p.Name, name)
	})
}

// Only returns the part of the shape that is of type t, which it must have.
func (s *Shape) Only(t Type) *Shape {
	out := *s
	out.Types, out.Plain, out.Enum = []Type{t}, nil, s.Values(t)
	if s.IsOpen(t) {
		out.Plain = out.Types
	}
	return &out
}

// Values returns the listed values of type t in the order of the document.
func (s *Shape) Values(t Type) []EnumValue {
	return slices.DeleteFunc(slices.Clone(s.Enum), func(v EnumValue) bool { return v.Type != t })
}

// Lists reports whether the shape lists values of type t, whether or not it admits others too.
func (s *Shape) Lists(t Type) bool { return len(s.Values(t)) > 0 }

// IsOpen reports whether values of type t are admitted that are not listed.
func (s *Shape) IsOpen(t Type) bool { return s.Any || slices.Contains(s.Plain, t) }

// both is what two schemas of an allOf, or a schema and its own oneOf, admit together. Properties
// are united, because a value has them all; so are enum values, because the narrower of two lists
// says less about what the API knows. A property that one of them only describes is what the other
// says.
func both(a, b *Shape) *Shape {
	out := union(a, b)
	for i, p := range out.Properties {
		switch ofA, ofB := a.Property(p.Name), b.Property(p.Name); {
		case ofA == nil || ofB == nil:
		case allWordless(ofA):
			out.Properties[i].Sites = ofB
		case allWordless(ofB):
			out.Properties[i].Sites = ofA
		}
	}
	out.Any = a.Any && b.Any
	switch {
	case a.Any:
		out.Types, out.Plain = b.Types, b.Plain
	case b.Any:
		out.Types, out.Plain = a.Types, a.Plain
	default:
		out.Types = common(a.Types, b.Types)
		out.Plain = common(a.Plain, b.Plain)
		if len(out.Types) == 0 { // nothing satisfies both: the document means one of them
			out.Types = sorted(append(slices.Clone(a.Types), b.Types...))
		}
	}
	return out
}

// either is what one of two alternatives admits.
func either(a, b *Shape) *Shape {
	out := union(a, b)
	out.Any = a.Any || b.Any
	out.Types = sorted(append(slices.Clone(a.Types), b.Types...))
	out.Plain = sorted(append(slices.Clone(a.Plain), b.Plain...))
	return out
}

// common holds the types in both lists, where a number and an integer have the integer in common.
func common(a, b []Type) []Type {
	var out []Type
	for _, t := range a {
		switch {
		case slices.Contains(b, t):
			out = append(out, t)
		case t == Integer && slices.Contains(b, Number), t == Number && slices.Contains(b, Integer):
			out = append(out, Integer)
		}
	}
	return sorted(out)
}

func sorted(types []Type) []Type {
	slices.Sort(types)
	return slices.Compact(types)
}

// union joins all but the types of two shapes.
func union(a, b *Shape) *Shape {
	out := &Shape{
		Nullable:  a.Nullable || b.Nullable,
		MapValues: addSites(a.MapValues, b.MapValues),
		Items:     addSites(a.Items, b.Items),
		Leaves:    addSites(a.Leaves, b.Leaves),
		Formats:   map[Type][]string{},
	}
	for _, s := range []*Shape{a, b} {
		for _, v := range s.Enum {
			out.addEnum(v)
		}
		for _, p := range s.Properties {
			out.addProperty(p)
		}
		for t, formats := range s.Formats {
			for _, f := range formats {
				out.addFormat(t, f)
			}
		}
	}
	return out
}

func (s *Shape) addEnum(v EnumValue) {
	i := slices.IndexFunc(s.Enum, v.Same)
	if i < 0 {
		s.Enum = append(s.Enum, v)
		return
	}
	s.Enum[i].Sites = addSites(s.Enum[i].Sites, v.Sites)
}

func (s *Shape) addProperty(p Property) {
	i, found := s.find(p.Name)
	if !found {
		s.Properties = slices.Insert(s.Properties, i, p)
		return
	}
	s.Properties[i].Sites = addSites(s.Properties[i].Sites, p.Sites)
}

func (s *Shape) addFormat(t Type, format string) {
	if !slices.Contains(s.Formats[t], format) {
		s.Formats[t] = append(s.Formats[t], format)
	}
}

// addSites returns a new list of a's values and those of b's that a lacks.
func addSites(a, b []*openapi.Value) []*openapi.Value {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
