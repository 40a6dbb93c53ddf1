package schema

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// typeSet is a set of the types of JSON Schema.
type typeSet uint8

const (
	typeString typeSet = 1 << iota
	typeNumber
	typeInteger
	typeBoolean
	typeArray
	typeObject
	typeNull

	typeNumeric = typeNumber | typeInteger
	// typeScalars are the types that stand for any value. The other two need more than a type.
	typeScalars = typeString | typeNumber | typeBoolean
)

// types lists the types in their order in a result, if the document does not set the order.
var types = []struct {
	set  typeSet
	name string // JSON Schema's name; Gemini's is the same in capitals
	wire geminiapi.SchemaType
}{
	{typeString, "string", geminiapi.SchemaTypeString},
	{typeNumber, "number", geminiapi.SchemaTypeNumber},
	{typeInteger, "integer", geminiapi.SchemaTypeInteger},
	{typeBoolean, "boolean", geminiapi.SchemaTypeBoolean},
	{typeArray, "array", geminiapi.SchemaTypeArray},
	{typeObject, "object", geminiapi.SchemaTypeObject},
	{typeNull, "null", geminiapi.SchemaTypeNull},
}

// wire returns a pointer to Gemini's name of a type.
func (t typeSet) wire() *geminiapi.SchemaType {
	for i := range types {
		if types[i].set == t {
			return new(types[i].wire)
		}
	}
	return nil
}

// readType reads a type or a list of types, in any letter case, because Gemini's own are in
// capitals. If two keywords apply, the types remain that both allow.
func (c *converter) readType(s *shape, v *value, _ *jump) {
	set := namedTypes(v)
	if v.isList() {
		c.checkTypes(v, set)
	} else if set == 0 {
		c.report(report.Lost, v, "not a type of JSON Schema")
	}
	switch both := common(s.types, set); {
	case set == 0:
	case s.types == 0:
		s.types = set
		if v.isList() {
			s.typeOrder = v
		}
	case both == 0:
		s.contradicts = true
		c.report(report.Lost, v, "another schema that applies too allows only other types")
	default:
		s.types = both
	}
}

// checkTypes reports the names in a list that have no effect.
func (c *converter) checkTypes(list *value, set typeSet) {
	for e := list.first; e != nil; e = e.next {
		switch t := typeByName(e.text()); {
		case t == 0:
			c.report(report.Lost, e, "not a type of JSON Schema")
		case t&set == 0:
			c.report(report.Approximated, e, "no effect, because the type number in the list includes integers")
		}
	}
}

// namedTypes returns the types that a keyword names. A number may be an integer.
func namedTypes(v *value) typeSet {
	switch {
	case v == nil:
		return 0
	case !v.isList():
		return typeByName(v.text())
	}
	var set typeSet
	for e := v.first; e != nil; e = e.next {
		set |= typeByName(e.text())
	}
	if set&typeNumber != 0 {
		set &^= typeInteger
	}
	return set
}

// typeByName returns the type for a name, or none.
func typeByName(name string) typeSet {
	for i := range types {
		if types[i].name == name {
			return types[i].set
		}
	}
	for i := range types {
		if strings.EqualFold(types[i].name, name) {
			return types[i].set
		}
	}
	return 0
}

// common returns the types that both sets allow. A number may be an integer.
func common(a, b typeSet) typeSet {
	both := a & b
	if a&typeNumber != 0 && b&typeInteger != 0 || b&typeNumber != 0 && a&typeInteger != 0 {
		both |= typeInteger
	}
	if both&typeNumber != 0 {
		both &^= typeInteger
	}
	return both
}

// readNullable reads OpenAPI's nullable.
func (c *converter) readNullable(s *shape, v *value, _ *jump) {
	const why = "another schema that applies too says whether null is allowed"
	switch {
	case !v.isBoolean():
		c.report(report.Lost, v, "not a boolean")
	case s.nullable == nil:
		s.nullable = v
	case s.nullable.isFalse():
		c.report(report.Approximated, s.nullable, why)
		s.nullable = v
	default:
		c.report(report.Approximated, v, why)
	}
}

// decision is the decision about the types of a shape.
type decision struct {
	set      typeSet // without null; empty if only null is allowed
	nullable bool
}

// decideTypes returns the types that a shape allows. A shape without types gets the types of its
// keywords, because the API requires a type.
func (c *converter) decideTypes(s *shape) decision {
	listed, isNullListed := s.enumTypes()
	if s.types == 0 {
		return c.inferTypes(s, listed, isNullListed)
	}
	d := decision{set: s.types &^ typeNull, nullable: s.types&typeNull != 0}
	if used := withValues(d.set, listed); used != 0 {
		d.set = used
	}
	isExplicit := s.nullable != nil && s.nullable.isTrue()
	if len(s.enum) > 0 && isNullListed != d.nullable && !isExplicit && !s.isParameters {
		c.report(report.Approximated, s.enumAt,
			"null is allowed, although the type and the list do not both allow it")
	}
	d.nullable = d.nullable || isNullListed || isExplicit
	return d
}

func (c *converter) inferTypes(s *shape, listed typeSet, isNullListed bool) decision {
	d := decision{set: s.about, nullable: isNullListed}
	switch {
	case len(s.enum) > 0:
		d.set = common(listed, listed)
	case s.about == 0 && s.format != nil:
		d.set = formatTypes(s.format.text())
	case s.about&typeNumeric != 0:
		d.set &^= typeInteger
	}
	if d.set == 0 && !d.nullable {
		c.report(report.Approximated, s.at,
			"any value is allowed; converted to a choice of string, number, boolean and null")
		isForbidden := s.nullable != nil && s.nullable.isFalse()
		return decision{set: typeScalars, nullable: !isForbidden}
	}
	c.added(s.at, "type", "inferred from the other keywords, because the schema has no type")
	d.nullable = d.nullable || s.nullable != nil && s.nullable.isTrue()
	return d
}

// firstType returns the first type of a set in the order of the document's list, else of the table.
func firstType(set typeSet, list *value) typeSet {
	if list != nil {
		for e := list.first; e != nil; e = e.next {
			if t := typeByName(e.text()) & set; t != 0 {
				return t
			}
		}
	}
	return set & -set
}

// withValues returns the types of a set that have values. values are the types of the values; an
// integer is also a number.
func withValues(set, values typeSet) typeSet {
	if values&typeInteger != 0 {
		values |= typeNumber
	}
	return set & values
}

// typeOf returns the type of a JSON value.
func typeOf(v *value) typeSet {
	switch v.kind {
	case jsontext.KindString:
		return typeString
	case jsontext.KindNumber:
		if isWhole(v.raw) {
			return typeInteger
		}
		return typeNumber
	case jsontext.KindTrue, jsontext.KindFalse:
		return typeBoolean
	case jsontext.KindBeginArray:
		return typeArray
	case jsontext.KindBeginObject:
		return typeObject
	default:
		return typeNull
	}
}
