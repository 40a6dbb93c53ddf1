package schema

import (
	"slices"

	"github.com/gemwire/gemwire/pkg/transform"
)

// remark is an entry of the report before it has a pointer. A schema that is converted several times,
// because several references lead to it, is remarked on once.
type remark struct {
	at     *value
	member string // Of what is not there.
	kind   transform.Kind
	detail string
}

// report adds an entry about a value.
func (c *converter) report(kind transform.Kind, v *value, detail string) {
	c.remark(remark{at: v, kind: kind, detail: detail})
}

// added adds an entry about a member that a schema does not have.
func (c *converter) added(v *value, member, detail string) {
	c.remark(remark{at: v, member: member, kind: transform.Added, detail: detail})
}

func (c *converter) remark(r remark) {
	if c.err != nil || c.isTold(r) {
		return
	}
	pointer := r.at.pointer()
	if r.member != "" {
		pointer += "/" + r.member
	}
	c.chargeText(r.at, pointer)
	c.entries.Add(r.kind, pointer, r.detail)
}

// isTold reports whether a remark was made before, and notes it. Usual documents have a few, which are
// found faster without a map.
func (c *converter) isTold(r remark) bool {
	const few = 16
	switch {
	case c.told != nil:
		if c.told[r] {
			return true
		}
		c.told[r] = true
		return false
	case slices.Contains(c.remarks, r):
		return true
	}
	c.remarks = append(c.remarks, r)
	if len(c.remarks) > few {
		c.told = map[remark]bool{}
		for _, r := range c.remarks {
			c.told[r] = true
		}
	}
	return false
}

// putOff leaves to the end what becomes of a value that references may lead to.
func (c *converter) putOff(v *value) {
	if !v.isPutOff {
		v.isPutOff = true
		c.later = append(c.later, v)
	}
}

// reportUnused reports what was put off and led to nothing.
func (c *converter) reportUnused() {
	for _, v := range c.later {
		c.reportUnusedParts(v, v.keyword().why)
	}
}

// reportUnusedParts reports a value, or of one whose parts are partly in the result the others.
func (c *converter) reportUnusedParts(v *value, why string) {
	switch {
	case v.isUsed:
	case !v.isUsedPart:
		c.report(transform.Lost, v, why)
	default:
		for part := v.first; part != nil; part = part.next {
			c.reportUnusedParts(part, why)
		}
	}
}

// use marks a value as one that is in the result, or leads to what is.
func (v *value) use() {
	v.isUsed = true
	for p := v.parent; p != nil && !p.isUsedPart; p = p.parent {
		p.isUsedPart = true
	}
}

// sortOut marks the keywords of a shape that say something about a type, and notes those that do not.
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

// fit marks a value that has its place in a result of a type, and notes one that has not: it may have
// one in another result that the same schema takes part in.
func (c *converter) fit(v *value, fits bool) {
	switch {
	case fits:
		v.isUsed = true
	case !v.isUsed && !v.isPutOff:
		v.isPutOff = true
		c.idle = append(c.idle, v)
	}
}

// reportIdle reports what had a place nowhere.
func (c *converter) reportIdle() {
	for _, v := range c.idle {
		if !v.isUsed {
			c.report(transform.Lost, v, "the schema allows no value of the type that this is about")
		}
	}
}
