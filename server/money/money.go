package money

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Nano is an amount of money in billionths of a currency's unit. Sums of it are exact.
type Nano int64

// nanos is the number of billionths in a unit.
const nanos = 1_000_000_000

// maxUnits is the largest amount that [Parse] accepts. Sums of amounts below it do not overflow.
const maxUnits = 1_000_000_000

// Of returns the amount of a number of units, rounded to the nearest billionth.
func Of(units float64) Nano {
	switch scaled := math.Round(units * nanos); {
	case math.IsNaN(scaled):
		return 0
	case scaled >= math.MaxInt64:
		return math.MaxInt64
	case scaled <= math.MinInt64:
		return math.MinInt64
	default:
		return Nano(scaled)
	}
}

// Parse parses a decimal number of units such as "12.50". It has at most nine decimals.
func Parse(text string) (Nano, error) {
	whole, fraction, hasPoint := strings.Cut(text, ".")
	if !isDigits(whole) || hasPoint && !isDigits(fraction) || len(fraction) > 9 {
		return 0, fmt.Errorf("%q is not an amount; want a number such as 12.50", text)
	}
	units, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || units > maxUnits {
		return 0, fmt.Errorf("%q is too large; want at most %d", text, maxUnits)
	}
	part, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	return Nano(units*nanos + part), nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// String returns the amount as a decimal number of units, such as "0.00042".
func (n Nano) String() string {
	sign, rest := "", uint64(n)
	if n < 0 {
		sign, rest = "-", -rest
	}
	text := fmt.Sprintf("%s%d.%09d", sign, rest/nanos, rest%nanos)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// Units returns the amount as a number of units. It may be rounded.
func (n Nano) Units() float64 { return float64(n) / nanos }
