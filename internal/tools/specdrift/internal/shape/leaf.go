package shape

import (
	"slices"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// The extension with which our documents list the values that a string is known to take without
// closing the list, where an enum would be generated as a type of its own:
//
//	type: string
//	x-open-enum: true
//	x-known-values: [low, high]
const (
	openEnum    = "x-open-enum"
	knownValues = "x-known-values"
)

// leaf is what a schema object says by itself, without its references and alternatives.
func (r *Reader) leaf(v *openapi.Value) (*Shape, error) {
	switch {
	case v.IsTrue():
		return &Shape{Any: true, Leaves: []*openapi.Value{v}}, nil
	case v.IsFalse():
		return &Shape{}, nil
	case v.KindOf() != openapi.Mapping:
		return nil, r.doc.Errorf(v, "%w: a schema is not a mapping", openapi.ErrStructure)
	case v.Get("$dynamicRef") != nil, v.Get("$recursiveRef") != nil:
		return nil, r.doc.Errorf(v, "%w: only $ref is supported", openapi.ErrReference)
	}
	s := &Shape{Leaves: []*openapi.Value{v}, Formats: map[Type][]string{}}
	for _, read := range []func(*Shape, *openapi.Value) error{r.types, r.enum, r.properties, r.mapValues, r.items} {
		if err := read(s, v); err != nil {
			return nil, err
		}
	}
	if f := v.Get("format").String(); f != "" {
		for _, t := range s.Types {
			s.addFormat(t, f)
		}
	}
	return s, nil
}

// types reads the declared types or, without them, those that the other keywords speak of. A schema
// of which neither speaks admits anything.
func (r *Reader) types(s *Shape, v *openapi.Value) error {
	declared := v.Get("type")
	switch {
	case declared == nil:
		s.Types = sorted(impliedTypes(v))
		s.Any = len(s.Types) == 0 && v.Get("enum") == nil && v.Get("const") == nil
		s.Nullable = v.Get("nullable").IsTrue()
		return nil
	case declared.Kind == openapi.String:
		s.Types = []Type{Type(declared.Text)}
	case declared.Kind == openapi.List:
		for _, t := range declared.Items {
			s.Types = append(s.Types, Type(t.String()))
		}
	default:
		return r.doc.Errorf(declared, "%w: type is neither a string nor a list", openapi.ErrStructure)
	}
	s.Nullable = v.Get("nullable").IsTrue() || slices.Contains(s.Types, "null")
	s.Types = slices.DeleteFunc(sorted(s.Types), func(t Type) bool { return t == "null" })
	for _, t := range s.Types {
		if !slices.Contains(knownTypes, t) {
			return r.doc.Errorf(declared, "%w: %q is no type", openapi.ErrStructure, t)
		}
	}
	return nil
}

var knownTypes = []Type{Object, Array, String, Number, Integer, Boolean}

// typeOfKeyword tells the type that a keyword only makes sense for.
var typeOfKeyword = []struct {
	keyword string
	of      Type
}{
	{"properties", Object},
	{"patternProperties", Object},
	{"additionalProperties", Object},
	{"items", Array},
	{"prefixItems", Array},
}

func impliedTypes(v *openapi.Value) []Type {
	var out []Type
	for _, row := range typeOfKeyword {
		if v.Get(row.keyword) != nil {
			out = append(out, row.of)
		}
	}
	return out
}

// enum reads the listed values. Types without listed values, and all types of an x-open-enum, are
// plain.
func (r *Reader) enum(s *Shape, v *openapi.Value) error {
	listed, err := r.list(v, "enum")
	if err != nil {
		return err
	}
	if c := v.Get("const"); c != nil {
		listed = append(listed, c)
	}
	open := v.Get(openEnum).IsTrue()
	if open {
		known, err := r.list(v, knownValues)
		if err != nil {
			return err
		}
		listed = append(listed, known...)
	}
	declared := slices.Clone(s.Types)
	for _, item := range listed {
		if value, ok := enumValue(item, declared); ok {
			s.addEnum(value)
			s.Types = append(s.Types, value.Type)
		}
	}
	s.Types = sorted(s.Types)
	for _, t := range s.Types {
		if open || len(listed) == 0 {
			s.Plain = append(s.Plain, t)
		}
	}
	return nil
}

// enumValue is a listed value; null is none. YAML reads an unquoted 512 as a number, which a schema
// of strings cannot mean.
func enumValue(item *openapi.Value, declared []Type) (EnumValue, bool) {
	value := EnumValue{Text: item.Text, Sites: []*openapi.Value{item}}
	switch item.Kind {
	case openapi.String:
		value.Type = String
	case openapi.Bool:
		value.Type = Boolean
	case openapi.Number:
		value.Type = Number
		if len(declared) > 0 {
			value.Type = declared[0]
		}
	default:
		return value, false
	}
	return value, true
}

func (r *Reader) properties(s *Shape, v *openapi.Value) error {
	list := v.Get("properties")
	if list == nil {
		return nil
	}
	if list.Kind != openapi.Mapping {
		return r.doc.Errorf(list, "%w: properties is not a mapping", openapi.ErrStructure)
	}
	for _, m := range list.Members {
		s.addProperty(Property{Name: m.Key, Sites: []*openapi.Value{m.Value}})
	}
	return nil
}

func (r *Reader) mapValues(s *Shape, v *openapi.Value) error {
	if values := v.Get("additionalProperties"); values != nil && !values.IsFalse() {
		s.MapValues = append(s.MapValues, values)
	}
	if patterns := v.Get("patternProperties"); patterns != nil {
		for _, m := range patterns.Members {
			s.MapValues = append(s.MapValues, m.Value)
		}
	}
	return nil
}

func (r *Reader) items(s *Shape, v *openapi.Value) error {
	prefix, err := r.list(v, "prefixItems")
	if err != nil {
		return err
	}
	s.Items = append(s.Items, prefix...)
	if items := v.Get("items"); items != nil && !items.IsFalse() {
		s.Items = append(s.Items, items)
	}
	return nil
}
