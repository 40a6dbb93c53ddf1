package schema

import (
	"slices"

	"github.com/gemwire/gemwire/pkg/report"
)

// shape holds the combined rules of one or more schemas of the document about one value. Schemas
// are combined by allOf, by a $ref with keywords next to it, and by alternatives of a schema with
// other keywords.
type shape struct {
	at      *value   // The first of the schemas.
	sources []source // All of them.
	level   int      // number of allOf and $ref above the current schema

	types     typeSet // types that all of them allow; 0 if none has a type
	typeOrder *value  // the list of types, if there is one
	about     typeSet // types that their keywords apply to
	nullable  *value

	title, description, example, preset annotation
	format, pattern                     *value

	enum   []*value // values that all lists have; nil without a list
	enumAt *value

	lower, upper []bound
	lengths      [lengthKinds]length

	properties   []property
	propertiesAt *value
	positions    map[string]int // by name, if there are many properties
	required     []*value
	ordering     *value
	additional   []source

	items    []source // schemas of all elements
	prefix   []source // schemas of the first elements, one for each
	prefixAt *value
	rest     []source // schemas of the elements after those
	closedAt *value   // the keyword that forbids elements after those, or nil

	choices []choice

	isParameters bool   // It is the shape of a function's parameters.
	never        *value // a schema that is false, or nil
	contradicts  bool   // No value satisfies all of them.
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
