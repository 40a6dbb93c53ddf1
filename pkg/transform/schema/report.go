package schema

import (
	"slices"

	"github.com/gemwire/gemwire/pkg/report"
)

// report adds an entry about a value.
func (c *converter) report(kind report.Kind, v *value, detail string) {
	c.addEntry(kind, v, v.pointer(), detail)
}

// added adds an entry about a member that a schema lacks.
func (c *converter) added(v *value, member, detail string) {
	c.addEntry(report.Added, v, v.pointer()+"/"+member, detail)
}

func (c *converter) addEntry(kind report.Kind, v *value, pointer, detail string) {
	if c.err == nil {
		c.chargeText(v, pointer)
		c.entries.Add(kind, pointer, detail)
	}
}

// withoutRepetitions returns the report with one entry where several references to the same schema
// each caused an entry.
func withoutRepetitions(entries report.Report) report.Report {
	if len(entries) < 2 {
		return entries
	}
	isKnown := make(map[report.Entry]bool, len(entries))
	return slices.DeleteFunc(entries, func(e report.Entry) bool {
		repeats := isKnown[e]
		isKnown[e] = true
		return repeats
	})
}

// deferReport defers the report about a value that references may refer to.
func (c *converter) deferReport(v *value) {
	if !v.isDeferred {
		v.isDeferred = true
		c.deferred = append(c.deferred, v)
	}
}

// reportUnusedParts reports a value. If some of its parts are in the result, it reports the other
// parts.
func (c *converter) reportUnusedParts(v *value, why string) {
	switch {
	case v.isUsed:
	case !v.isUsedPart:
		c.report(report.Lost, v, why)
	default:
		for part := v.first; part != nil; part = part.next {
			c.reportUnusedParts(part, why)
		}
	}
}

// use marks a value that is in the result, or refers to something in it.
func (v *value) use() {
	v.isUsed = true
	for p := v.parent; p != nil && !p.isUsedPart; p = p.parent {
		p.isUsedPart = true
	}
}

// sortOut marks the keywords of a shape that apply to a type, and records those that do not.
func (c *converter) sortOut(s *shape, t typeSet) {
	for _, src := range s.sources {
		for m := src.value.first; m != nil; m = m.next {
			c.charge(m, 1)
			if k := m.keyword(); k.treatment == taken && k.about != 0 && !m.isNull() {
				c.fit(m, k.about&t != 0)
			}
		}
	}
}

// fit marks a value that is in a result of a type. It records a value that is not, because the
// value may be in another result of the same schema.
func (c *converter) fit(v *value, fits bool) {
	switch {
	case fits:
		v.isUsed = true
	case !v.isUsed && !v.isDeferred:
		v.isDeferred = true
		c.unfit = append(c.unfit, v)
	}
}

// reportUnfit reports the values that are in no result.
func (c *converter) reportUnfit() {
	for _, v := range c.unfit {
		if !v.isUsed {
			c.report(report.Lost, v, "no effect, because the schema allows no value of the type that the keyword applies to")
		}
	}
}
