package schema

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

const whyInfinite = "outside of the range of numbers in Gemini's schema"

// bound is the smallest or the largest allowed number, or the first one beyond it.
type bound struct {
	at        *value
	value     float64
	exclusive *value // the keyword that makes the bound exclusive, or nil
}

// exclusiveName maps bounds to their exclusive keywords. Up to draft 4 these say whether the bound
// itself is allowed. Since then they are bounds of their own.
var exclusiveName = map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}

func (c *converter) readMinimum(s *shape, v *value, _ *jump) { c.readInclusive(&s.lower, v) }
func (c *converter) readMaximum(s *shape, v *value, _ *jump) { c.readInclusive(&s.upper, v) }

func (c *converter) readExclusiveMinimum(s *shape, v *value, _ *jump) {
	c.readExclusive(&s.lower, v, "minimum")
}

func (c *converter) readExclusiveMaximum(s *shape, v *value, _ *jump) {
	c.readExclusive(&s.upper, v, "maximum")
}

func (c *converter) readInclusive(bounds *[]bound, v *value) {
	var exclusive *value
	if m := v.parent.member(exclusiveName[v.name]); m != nil && m.isTrue() {
		exclusive = m
	}
	c.readBound(bounds, v, exclusive)
}

// readExclusive reads an exclusive bound. Up to draft 4 the keyword was a boolean that made the
// bound next to it exclusive.
func (c *converter) readExclusive(bounds *[]bound, v *value, inclusive string) {
	switch {
	case !v.isBoolean():
		c.readBound(bounds, v, v)
	case v.isTrue() && !isBound(v.parent.member(inclusive)):
		c.report(report.Lost, v, "no effect, because there is no bound next to it")
	}
}

// isBound reports whether a value is a number that Gemini's form can express.
func isBound(v *value) bool {
	if v == nil || !v.isNumber() {
		return false
	}
	f, _ := strconv.ParseFloat(v.raw, 64)
	return !math.IsInf(f, 0)
}

func (c *converter) readBound(bounds *[]bound, v, exclusive *value) {
	if !v.isNumber() {
		c.report(report.Lost, v, "not a number")
		return
	}
	f := c.float(v)
	if math.IsInf(f, 0) {
		c.report(report.Lost, v, whyInfinite)
		return
	}
	*bounds = append(*bounds, bound{v, f, exclusive})
}

// float returns the float64 that is nearest to a value, and reports a value that it does not equal.
func (c *converter) float(v *value) float64 {
	f, err := strconv.ParseFloat(v.raw, 64)
	if err == nil && !isExact(v.raw, f) {
		c.report(report.Approximated, v, "rounded to the nearest 64-bit float")
	}
	return f
}

// number completes the result for a number or an integer.
func (c *converter) number(out *geminiapi.Schema, s *shape, t typeSet, listed []*value) {
	lower, upper := s.lower, s.upper
	if least, most, ok := c.span(out, s, t, listed); ok {
		lower = append(slices.Clip(lower), bound{at: s.enumAt, value: least})
		upper = append(slices.Clip(upper), bound{at: s.enumAt, value: most})
	}
	out.Minimum = c.strictest(lower, t, +1)
	out.Maximum = c.strictest(upper, t, -1)
}

// strictest returns the number of the strictest bound, or nil. inwards is the direction of the
// allowed numbers, 1 or -1.
func (c *converter) strictest(bounds []bound, t typeSet, inwards float64) *float64 {
	if len(bounds) == 0 {
		return nil
	}
	var out bound
	best := -1
	for i, b := range bounds {
		if t == typeInteger {
			b = b.ofIntegers(inwards)
		}
		switch {
		case best < 0:
			best, out = i, b
		case (b.value-out.value)*inwards > 0 || b.value == out.value && b.exclusive != nil:
			c.reportLooser(bounds[best].at)
			best, out = i, b
		default:
			c.reportLooser(bounds[i].at)
		}
	}
	if out.exclusive != nil {
		c.report(report.Approximated, out.exclusive,
			"converted to an inclusive bound, because Gemini's schema has no exclusive ones; the bound itself is allowed too")
	}
	return new(out.value)
}

// reportLooser reports a bound that has no effect, and draft 4's boolean next to it.
func (c *converter) reportLooser(v *value) {
	const why = "no effect, because a stricter bound applies too"
	c.report(report.Approximated, v, why)
	if name := exclusiveName[v.name]; name != "" {
		if m := v.parent.member(name); m != nil && m.isBoolean() {
			c.report(report.Approximated, m, why)
		}
	}
}

// ofIntegers returns the bound as the first allowed integer. This is exact for all integers that a
// float64 can distinguish.
func (b bound) ofIntegers(inwards float64) bound {
	const maxExact = 1 << 53
	if b.exclusive == nil || math.Abs(b.value) >= maxExact {
		return b
	}
	if b.value == math.Trunc(b.value) {
		b.value += inwards
	} else if inwards > 0 {
		b.value = math.Ceil(b.value)
	} else {
		b.value = math.Floor(b.value)
	}
	b.exclusive = nil
	return b
}

// isWhole reports whether a JSON number has no fraction.
func isWhole(raw string) bool {
	d := decimalOf(raw)
	return d.digits == "" || d.point >= len(d.digits)
}

// isExact reports whether a float64 has the digits of a JSON number.
func isExact(raw string, f float64) bool {
	const maxDigits = 15 // that every float64 keeps, away from the ends of its range
	if len(raw) <= maxDigits && !strings.ContainsAny(raw, "eE") {
		return true
	}
	return decimalOf(raw) == decimalOf(strconv.FormatFloat(f, 'e', -1, 64))
}

// decimal is a number as digits after a decimal point, without zeros at the ends, and the number of
// places to move the point to the right.
type decimal struct {
	isNegative bool
	digits     string
	point      int
}

func decimalOf(number string) decimal {
	unsigned, isNegative := strings.CutPrefix(number, "-")
	mantissa, exponent, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	out := decimal{isNegative, strings.TrimRight(digits, "0"), len(digits) - len(fraction)}
	if out.digits == "" {
		return decimal{}
	}
	if exponent != "" {
		const most = 1 << 30                // larger than the exponent of any other number
		places, _ := strconv.Atoi(exponent) // the nearest int if it is out of range
		out.point += min(max(places, -most), most)
	}
	return out
}
