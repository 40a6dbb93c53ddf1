package schema

import (
	"math"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// readEnum reads a list of allowed values.
func (c *converter) readEnum(s *shape, v *value, _ *jump) {
	if !v.isList() || v.first == nil {
		c.report(report.Lost, v, "not a list of values")
		return
	}
	var values []*value
	for e := v.first; e != nil; e = e.next {
		values = append(values, e)
	}
	c.enumerate(s, v, values)
}

// readConst reads the only allowed value.
func (c *converter) readConst(s *shape, v *value, _ *jump) {
	c.enumerate(s, v, []*value{v})
}

// enumerate limits a shape to some values.
func (c *converter) enumerate(s *shape, at *value, values []*value) {
	c.charge(at, len(values)+len(s.enum))
	if s.enum == nil {
		s.enum, s.enumAt = values, at
		return
	}
	both := c.onlyIn(s.enum, values)
	if len(both) == 0 {
		s.contradicts = true
		c.report(report.Lost, at, "it has no value in common with another list that applies too")
		return
	}
	c.report(report.Approximated, at,
		"limited to the values that are also in another list that applies")
	s.enum = both
}

// onlyIn returns the values that another list has too, and reports the others.
func (c *converter) onlyIn(values, other []*value) []*value {
	known := make(map[string]bool, len(other))
	for _, v := range other {
		known[v.identity()] = true
	}
	var out []*value
	for _, v := range values {
		if known[v.identity()] {
			out = append(out, v)
		} else {
			c.report(report.Approximated, v, "another list that applies too does not have it")
		}
	}
	return out
}

// identity returns a key that is the same for equal values. Numbers and objects in different
// notations are different.
func (v *value) identity() string {
	if v.isString() {
		return `"` + v.text()
	}
	return v.raw
}

// enumTypes returns the types of the allowed values, and whether null is one of them.
func (s *shape) enumTypes() (set typeSet, hasNull bool) {
	for _, v := range s.enum {
		set |= typeOf(v)
	}
	return set &^ typeNull, set&typeNull != 0
}

// listed returns the allowed values of a type. all are the allowed types.
func (c *converter) listed(s *shape, t, all typeSet) []*value {
	if len(s.enum) == 0 {
		return nil
	}
	wantsStrings := t == typeString && namedTypes(s.enumAt.parent.member("type"))&typeString != 0
	var out []*value
	for _, v := range s.enum {
		c.charge(v, 1)
		if c.isListed(v, t, all, wantsStrings) {
			out = append(out, v)
		}
	}
	return out
}

// isListed reports whether an allowed value has a type. It reports a value that has no allowed
// type. Next to the type string, numbers and booleans are meant to be strings.
func (c *converter) isListed(v *value, t, all typeSet, wantsStrings bool) bool {
	own := typeOf(v)
	switch {
	case own == typeNull:
		return false
	case own&(typeArray|typeObject) != 0:
		c.report(report.Lost, v, "Gemini's schema can list only strings")
		return false
	case withValues(all, own) != 0:
		fits := withValues(t, own) != 0
		c.fit(v, fits)
		return fits
	case wantsStrings:
		c.report(report.Approximated, v,
			"converted to a string, because the type of the list is string")
		c.fit(v, true)
		return true
	default:
		c.fit(v, false)
		return false
	}
}

func (c *converter) strings(values []*value) []string {
	if len(values) == 0 {
		return nil
	}
	out := make([]string, 0, len(values))
	for _, v := range values {
		text := v.text()
		if !v.isString() {
			text = v.raw
		}
		if text == "" {
			c.report(report.Lost, v, "the API refuses an empty string in a list of values")
			continue
		}
		c.chargeText(v, text)
		out = append(out, text)
	}
	return orNil(out)
}

// constant says in the description of a boolean that only one value is allowed.
func (c *converter) constant(out *geminiapi.Schema, s *shape, values []*value) {
	if len(values) == 0 ||
		slices.ContainsFunc(values, func(v *value) bool { return v.kind != values[0].kind }) {
		return
	}
	c.report(report.Approximated, s.enumAt,
		"moved to the description, because Gemini's schema can list only strings")
	out.Description = new("Always " + values[0].raw + ".")
}

// span returns the smallest and the largest of the allowed numbers. If others lie between them, the
// description lists the values.
func (c *converter) span(out *geminiapi.Schema, s *shape, t typeSet, values []*value) (least,
	most float64, ok bool) {
	var numbers []float64
	for _, v := range values {
		if f := c.float(v); math.IsInf(f, 0) {
			c.report(report.Lost, v, whyInfinite)
		} else {
			numbers = append(numbers, f)
		}
	}
	if len(numbers) == 0 {
		return 0, 0, false
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	least, most = numbers[0], numbers[len(numbers)-1]
	isRange := least == most || t == typeInteger && most-least == float64(len(numbers)-1)
	if !isRange {
		c.report(report.Approximated, s.enumAt,
			"converted to a range and listed in the description, because Gemini's schema can list only strings")
		out.Description = c.sentence(values)
	}
	return least, most, true
}

// sentence returns a sentence that lists values.
func (c *converter) sentence(values []*value) *string {
	var text strings.Builder
	for i, v := range values {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(v.raw)
	}
	c.chargeText(values[0], text.String())
	return new("One of " + text.String() + ".")
}
