package schema

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// readItems reads the schema of a list's elements. Up to draft 2019-09 it can be a list of schemas
// for the first elements.
func (c *converter) readItems(s *shape, v *value, jumps *jump) {
	switch prefix := v.parent.member("prefixItems"); {
	case v.isList():
		c.readPrefix(s, v, jumps)
	case prefix != nil && prefix.first != nil:
		s.follow(v, jumps)
	case v.isFalse():
		s.closedAt = v
	default:
		s.items = append(s.items, source{v, jumps})
	}
}

// readPrefix reads the schemas of a list's first elements.
func (c *converter) readPrefix(s *shape, v *value, jumps *jump) {
	switch {
	case !v.isList():
		c.report(report.Lost, v, "not a list of schemas")
		return
	case v.first == nil:
		return
	case s.prefixAt != nil:
		c.report(report.Lost, v, "another list of element schemas is used")
		return
	}
	s.prefixAt = v
	for e := v.first; e != nil; e = e.next {
		c.charge(e, 1)
		s.prefix = append(s.prefix, source{e, jumps})
	}
}

// readAdditionalItems reads the older drafts' schema for elements after the first ones.
func (c *converter) readAdditionalItems(s *shape, v *value, jumps *jump) {
	if items := v.parent.member("items"); items == nil || !items.isList() {
		c.report(report.Lost, v, "no effect without a list of items")
		return
	}
	s.follow(v, jumps)
}

// follow reads the schema for elements after the first ones.
func (s *shape) follow(v *value, jumps *jump) {
	if v.isFalse() {
		s.closedAt = v
		return
	}
	s.rest = append(s.rest, source{v, jumps})
}

// list completes the result for a list.
func (c *converter) list(out *geminiapi.Schema, s *shape) {
	if s.closedAt != nil {
		c.limit(&s.lengths[maxItems], length{s.closedAt, int64(len(s.prefix))}, true)
	}
	switch {
	case len(s.prefix) > 0:
		out.Items = one(c.elements(s))
	case len(s.items) > 0:
		out.Items = c.schema(s.items)
	default:
		if s.closedAt == nil {
			c.added(s.at, "items",
				"the API requires it; elements may be strings, numbers, booleans or null")
		}
		out.Items = one(c.anyValue())
	}
}

// elements returns the alternatives for all elements of a list whose first elements have schemas of
// their own.
func (c *converter) elements(s *shape) []geminiapi.Schema {
	const why = "Gemini's schema has one schema for all elements; it allows what any of these schemas allows"
	c.report(report.Approximated, s.prefixAt, why)
	c.reportSources(report.Approximated, s.rest, why)
	c.reportSources(report.Approximated, s.items, why)
	elements := make([][]source, 0, len(s.prefix)+1)
	for _, src := range s.prefix {
		elements = append(elements, append(slices.Clip(s.items), src))
	}
	if len(s.rest) > 0 {
		elements = append(elements, append(slices.Clip(s.items), s.rest...))
	}
	var out alternativeSet
	for _, sources := range elements {
		s := c.shapeOf(sources[0], sources[1:]...)
		for _, schema := range c.schemas(nil, s) {
			out.add(schema)
		}
		c.release(s)
	}
	return out.withoutNull()
}

// anyValue returns the alternatives for any value.
func (c *converter) anyValue() []geminiapi.Schema {
	var list []geminiapi.Schema
	for i := range types {
		if t := types[i].set; t&typeScalars != 0 {
			list = append(list, geminiapi.Schema{Type: t.wire(), Nullable: new(true)})
		}
	}
	return list
}
