package main

import "slices"

// leaf returns the shape of a schema object itself, without its references and alternatives.
func (r *reader) leaf(v *value) *shape {
	switch {
	case v.isTrue():
		return &shape{any: true, leaves: []*value{v}}
	case v.isFalse():
		return &shape{}
	case !v.isMapping():
		r.failf(v, "%w: a schema is not a mapping", errStructure)
		return &shape{}
	}
	for _, keyword := range unsupportedKeywords {
		if v.get(keyword) != nil {
			r.failf(v, "%w: %s", errKeyword, keyword)
		}
	}
	s := &shape{leaves: []*value{v}, formats: map[jsonType][]string{},
		properties: map[string][]*value{}}
	r.readTypes(s, v)
	r.readEnum(s, v)
	for _, m := range r.mapping(v, "properties") {
		s.properties[m.key.Value] = []*value{m.value}
	}
	if additional := v.get("additionalProperties"); additional != nil && !additional.isFalse() {
		s.mapValues = []*value{additional}
	}
	if items := v.get("items"); items != nil && !items.isFalse() {
		s.elements = []*value{items}
	}
	if f := v.get("format").str(); f != "" {
		for _, t := range s.types {
			s.formats[t] = []string{f}
		}
	}
	return s
}

// Keywords that would add members, elements or schemas. No vendor uses them so far.
var unsupportedKeywords = []string{"$dynamicRef", "$recursiveRef", "patternProperties",
	"prefixItems"}

// readTypes reads the declared types. Without declared types it derives them from the other
// keywords. A schema that has neither accepts anything.
func (r *reader) readTypes(s *shape, v *value) {
	s.nullable = v.get("nullable").isTrue()
	declared := v.get("type")
	switch {
	case declared == nil:
		s.types = impliedTypes(v)
		s.any = len(s.types) == 0 && v.get("enum") == nil && v.get("const") == nil
		return
	case declared.isString():
		s.types = []jsonType{declared.Value}
	case !declared.isList():
		r.failf(declared, "%w: type is neither a string nor a list", errStructure)
	}
	for _, t := range declared.items {
		s.types = append(s.types, t.Value)
	}
	s.nullable = s.nullable || s.has("null")
	s.types = slices.DeleteFunc(sorted(s.types), func(t jsonType) bool { return t == "null" })
	for _, t := range s.types {
		if !slices.Contains(knownTypes, t) {
			r.failf(declared, "%w: %q is not a type", errStructure, t)
		}
	}
}

var knownTypes = []jsonType{objectType, arrayType, stringType, numberType, integerType, booleanType}

func impliedTypes(v *value) []jsonType {
	var out []jsonType
	if v.get("items") != nil {
		out = append(out, arrayType)
	}
	if v.get("properties") != nil || v.get("additionalProperties") != nil {
		out = append(out, objectType)
	}
	return out
}

// openEnum is the extension that lists known values of an open set. Other values are accepted too.
const openEnum = "x-open-enum"

// readEnum reads the listed values. A type without listed values is plain, and so is the type of an
// open set.
func (r *reader) readEnum(s *shape, v *value) {
	for _, item := range r.list(v, openEnum) {
		if value, ok := newEnumValue(item, s.types); ok {
			s.addEnum(value)
		}
	}
	listed := r.list(v, "enum")
	if c := v.get("const"); c != nil {
		listed = append(slices.Clip(listed), c)
	}
	if len(listed) == 0 {
		s.plain = s.types
		return
	}
	declared := s.types
	for _, item := range listed {
		if value, ok := newEnumValue(item, declared); ok {
			s.addEnum(value)
			s.types = sorted(append(slices.Clone(s.types), value.of))
		}
	}
}

// newEnumValue returns a listed value. null is not an enum value. YAML reads an unquoted 512 as a
// number, which a schema of strings cannot mean.
func newEnumValue(item *value, declared []jsonType) (enumValue, bool) {
	out := enumValue{of: stringType, text: item.Value, sites: []*value{item}}
	switch item.tag() {
	case "!!bool":
		out.of = booleanType
	case "!!int", "!!float":
		out.of = numberType
		if len(declared) > 0 {
			out.of = declared[0]
		}
	default:
		return out, item.isString()
	}
	return out, true
}
