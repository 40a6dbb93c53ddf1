package schema

import (
	"slices"

	"github.com/gemwire/gemwire/pkg/report"
)

// shape is what one or more schemas of the document say together about one value. Schemas are
// combined by allOf, by a $ref with keywords next to it, and by alternatives of a schema with other
// keywords.
type shape struct {
	at      *value   // The first of the schemas.
	sources []source // All of them.
	level   int      // How many allOf and $ref are above the schema that is being read.

	types     typeSet // What they all allow; 0 when none has a type.
	typeOrder *value  // The list of types, if the types came in one.
	about     typeSet // The types that their keywords are about.
	nullable  *value

	title, description, example, preset annotation
	format, pattern                     *value

	enum   []*value // The values that all lists have; nil when there is no list.
	enumAt *value

	lower, upper []bound
	lengths      [lengthKinds]length

	properties   []property
	propertiesAt *value
	positions    map[string]int // Of many properties, by name.
	required     []*value
	ordering     *value
	additional   []source

	items    []source // Of all elements.
	prefix   []source // Of the first elements, one for each.
	prefixAt *value
	rest     []source // Of the elements after those.
	closedAt *value   // What forbids those; nil for nothing.

	choices []choice

	isParameters bool   // It is that of a function's parameters.
	never        *value // One of the schemas that is false; nil for none.
	contradicts  bool   // No value can satisfy them all.
}

// source is a schema of the document, and how it was reached.
type source struct {
	value *value
	jumps *jump
}

// shapeOf reads schemas that all apply. The caller must release the shape.
func (c *converter) shapeOf(first source, more ...source) *shape {
	s := c.newShape()
	s.at = first.value
	c.read(s, first)
	for _, src := range more {
		c.read(s, src)
	}
	return s
}

// newShape returns an empty shape. It reuses a released one if possible.
func (c *converter) newShape() *shape {
	last := len(c.free) - 1
	if last < 0 {
		return &shape{}
	}
	s := c.free[last]
	c.free = c.free[:last]
	*s = shape{
		sources: s.sources[:0], properties: s.properties[:0], required: s.required[:0],
		lower: s.lower[:0], upper: s.upper[:0],
	}
	return s
}

// release releases a shape. Neither it nor a shape made from it may be used afterwards.
func (c *converter) release(s *shape) { c.free = append(c.free, s) }

// with returns the shape of a shape combined with another schema, without its own annotations. It
// does not change the shape.
func (c *converter) with(s *shape, src source) *shape {
	c.charge(src.value, 1+(len(s.properties)+len(s.required)+len(s.sources))/8)
	out := new(s.withoutAnnotations())
	out.at, out.contradicts, out.never = src.value, false, nil
	out.sources = slices.Clip(s.sources)
	out.lower, out.upper = slices.Clip(s.lower), slices.Clip(s.upper)
	out.properties, out.positions = slices.Clone(s.properties), nil
	out.required, out.additional = slices.Clip(s.required), slices.Clip(s.additional)
	out.items, out.prefix, out.rest = slices.Clip(s.items), slices.Clip(s.prefix),
		slices.Clip(s.rest)
	out.choices = slices.Clip(s.choices)
	c.read(out, src)
	return out
}

// withoutAnnotations returns a copy of the shape without its annotations.
func (s *shape) withoutAnnotations() shape {
	out := *s
	out.title, out.description, out.example, out.preset = annotation{}, annotation{}, annotation{},
		annotation{}
	return out
}

// read reads a schema into a shape.
func (c *converter) read(s *shape, src source) {
	v := src.value
	if !c.enter(v) {
		return
	}
	s.sources = append(s.sources, src)
	switch {
	case v.isObject():
		c.readMembers(s, src)
	case v.isFalse() && s.never != nil:
		c.report(report.Approximated, v, "no effect, because another schema that applies too allows no value either")
	case v.isFalse():
		s.never = v
	case !v.isTrue():
		c.report(report.Lost, v, "not an object or a boolean; any value is allowed")
	}
	c.leave()
}

func (c *converter) readMembers(s *shape, src source) {
	for m := src.value.first; m != nil; m = m.next {
		k := m.keyword()
		if m.isNull() && !k.takesNull {
			continue
		}
		c.charge(m, 1)
		s.about |= k.about
		switch k.treatment {
		case taken:
			k.read(c, s, m, src.jumps)
		case merged:
			c.readAll(s, m, src.jumps)
		case followed:
			c.readTarget(s, m, src.jumps)
		case deferred:
			c.deferReport(m)
		case lost:
			c.report(report.Lost, m, k.why)
		}
	}
}

// readAll reads the schemas of an allOf into a shape.
func (c *converter) readAll(s *shape, v *value, jumps *jump) {
	if !v.isList() {
		c.report(report.Lost, v, "not a list of schemas")
		return
	}
	s.level++
	for e := v.first; e != nil; e = e.next {
		c.read(s, source{e, jumps})
	}
	s.level--
}

// readTarget reads the target of a $ref into a shape, once.
func (c *converter) readTarget(s *shape, v *value, jumps *jump) {
	target := c.follow(v, jumps)
	if target == nil {
		return
	}
	c.charge(v, len(s.sources)/64)
	if slices.ContainsFunc(s.sources, func(src source) bool { return src.value == target }) {
		return
	}
	if v.name != "$ref" {
		c.report(report.Approximated, v,
			"read as a $ref, whose target does not depend on the path to it")
	}
	s.level++
	c.read(s, source{target, &jump{target: target, from: v, before: jumps}})
	s.level--
}
