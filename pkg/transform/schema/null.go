package schema

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// isNullSchema reports whether a schema itself allows only null.
func isNullSchema(v *value) bool {
	says := false
	for m := v.first; m != nil && v.isObject(); m = m.next {
		switch {
		case m.name == "type" && !m.isNull(), m.name == "const", m.name == "enum" && !m.isNull():
			if !allowsOnlyNull(m) {
				return false
			}
			says = true
		}
	}
	return says
}

// allowsOnlyNull reports whether a type, a constant or a list of values allows only null.
func allowsOnlyNull(v *value) bool {
	switch v.name {
	case "type":
		return namedTypes(v) == typeNull
	case "const":
		return v.isNull()
	}
	for e := v.first; e != nil; e = e.next {
		if !e.isNull() {
			return false
		}
	}
	return v.isList() && v.first != nil
}

// reportNull reports the other keywords of an alternative for null.
func (c *converter) reportNull(v *value) {
	for m := v.first; m != nil; m = m.next {
		if !m.isNull() && m.name != "type" && m.name != "const" && m.name != "enum" {
			c.report(report.Lost, m, whyNull)
		}
	}
}

// reportOther reports a value about null, if any, that an alternative of null overrides.
func (c *converter) reportOther(v *value) {
	if v != nil {
		c.report(report.Approximated, v, "an alternative is null, so all alternatives are nullable")
	}
}

// withNull makes the alternatives from a position on nullable. Without alternatives, null is the
// only value.
func (c *converter) withNull(list []geminiapi.Schema, from int, s *shape,
	null *value) []geminiapi.Schema {
	allowsNull := s.types == 0 || s.types&typeNull != 0 || s.nullable != nil && s.nullable.isTrue()
	switch {
	case s.isParameters:
		c.report(report.Lost, null, whyNoNull)
		return list
	case len(list) == from && !allowsNull:
		c.report(report.Lost, null, whyContradicts)
		return list
	case !allowsNull:
		c.report(report.Approximated, null,
			"null is allowed, although the type around it does not allow null")
	}
	if len(list) == from {
		only := s.withoutAnnotations()
		only.types = typeNull
		return c.possible(list, &only)
	}
	c.reportOther(s.nullable)
	for _, other := range s.choices {
		c.reportOther(other.at)
	}
	for i := range list[from:] {
		list[from+i].Nullable = new(true)
	}
	return list
}
