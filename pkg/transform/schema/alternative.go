package schema

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// choice is an anyOf or a oneOf.
type choice struct {
	at    *value
	jumps *jump
}

func (c *converter) readChoice(s *shape, v *value, jumps *jump) {
	if !v.isList() || v.first == nil {
		c.report(report.Lost, v, "not a list of schemas")
		return
	}
	s.choices = append(s.choices, choice{v, jumps})
}

// alternatives appends the results of a shape with each alternative of its choices, in all
// combinations. It appends nothing if none is possible.
func (c *converter) alternatives(list []geminiapi.Schema, s *shape) []geminiapi.Schema {
	before := len(list)
	first := s.choices[0]
	base := *s
	base.choices = s.choices[1:]
	var used []*shape
	var null *value
	for e := first.at.first; e != nil && c.err == nil; e = e.next {
		if isNullSchema(e) {
			c.reportNull(e)
			null = e
			continue
		}
		count := len(list)
		a := c.with(&base, source{e, first.jumps})
		list = c.alternative(list, a, a.sources[len(s.sources):])
		switch {
		case len(list) == count:
		case isNull(list[count]):
			list, null = list[:count], e
		default:
			used = append(used, a)
		}
	}
	if null != nil {
		list = c.withNull(list, before, &base, null)
		for _, a := range used {
			c.reportOther(a.nullable)
		}
	}
	if len(used) > 1 {
		c.reportChoice(first, s, used)
	}
	return list
}

// alternative appends the result of one alternative, and reports how its own schemas were converted
// if that is not visible.
func (c *converter) alternative(list []geminiapi.Schema, a *shape,
	own []source) []geminiapi.Schema {
	before := len(list)
	if a.never == nil && !a.contradicts {
		list = c.possible(list, a)
	}
	switch {
	case len(list) == before:
		c.reportSources(report.Lost, own, whyContradicts)
	case isNull(list[before]):
		c.reportSources(report.Approximated, own, whyNull)
	}
	return list
}

const (
	whyContradicts = "it contradicts the schema around it"
	whyFolded      = "merged into one object, because parameters cannot have alternatives; it requires what every alternative requires"
	whyNoNull      = "parameters cannot be null"
	whyNull        = "the alternative null makes the others nullable"
)

// reportSources reports how whole schemas were converted.
func (c *converter) reportSources(kind report.Kind, sources []source, detail string) {
	for _, src := range sources {
		c.report(kind, src.value, detail)
	}
}

// reportChoice reports how a choice between alternatives was converted.
func (c *converter) reportChoice(u choice, s *shape, used []*shape) {
	if !s.isParameters {
		if u.at.name == "oneOf" {
			c.report(report.Approximated, u.at,
				"converted to anyOf, so more than one alternative may match")
		}
		return
	}
	for _, a := range used {
		c.reportSources(report.Approximated, a.sources[len(s.sources):], whyFolded)
	}
}
