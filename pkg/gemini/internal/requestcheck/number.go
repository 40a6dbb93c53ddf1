package requestcheck

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gemwire/gemwire/internal/codec"
)

// bounds are the minimum and maximum of a number.
type bounds struct{ lowest, highest float64 }

// checkRange reports a number outside its bounds, which are inclusive. NaN is in no range.
func checkRange[N int | float64](v *checker, at *codec.Location, name string, value *N, in bounds) {
	if value != nil && !(in.lowest <= float64(*value) && float64(*value) <= in.highest) {
		v.outOfRange(at, name, float64(*value),
			"must be from "+numberText(in.lowest)+" to "+numberText(in.highest))
	}
}

// checkAbove is checkRange with an exclusive lower bound.
func checkAbove(v *checker, at *codec.Location, name string, value *float64, in bounds) {
	if value != nil && !(in.lowest < *value && *value <= in.highest) {
		v.outOfRange(at, name, *value,
			"must be above "+numberText(in.lowest)+" and at most "+numberText(in.highest))
	}
}

func (v *checker) outOfRange(at *codec.Location, name string, value float64, want string) {
	text := numberText(value)
	v.reportMember(at, name, ruleRange, text, text+" is out of range; "+want)
}

// numberText returns a number as JSON. For a number that JSON does not have, it returns the string
// that the backends write.
func numberText(value float64) string {
	switch {
	case math.IsNaN(value):
		return `"NaN"`
	case math.IsInf(value, 1):
		return `"Infinity"`
	case math.IsInf(value, -1):
		return `"-Infinity"`
	case math.Abs(value) < 1e15:
		return strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
}

// length checks the number of elements of a list.
func (v *checker) length(at *codec.Location, name string, count, least, most int) {
	if count < least || count > most {
		v.reportMember(at, name, ruleMax, "",
			fmt.Sprintf("has %d elements; must have from %d to %d", count, least, most))
	}
}
