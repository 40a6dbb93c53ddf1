package plainjson

import (
	"bytes"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Int64 reads a whole number without fraction and exponent.
func (d *Decoder) Int64() int64 {
	const maxDigits = 18 // any number with 18 digits fits
	i, value := d.pos, int64(0)
	negative := d.at() == '-'
	if negative {
		i++
	}
	start := i
	for i < len(d.data) && isDigit(d.data[i]) && i-start < maxDigits {
		value = value*10 + int64(d.data[i]-'0')
		i++
	}
	// A digit, a dot or an exponent that follows makes the next read fail.
	if i == start || d.data[start] == '0' && i-start > 1 ||
		d.lenient && numberLen(d.data[d.pos:]) != i-d.pos {
		d.expect(WholeNumberExpected)
		return 0
	}
	d.pos = i
	if negative {
		return -value
	}
	return value
}

// Int reads a whole number like [Decoder.Int64] that fits in an int.
func (d *Decoder) Int() int {
	value := d.Int64()
	if int64(int(value)) != value {
		d.Fail()
		return 0
	}
	return int(value)
}

// Float64 reads a number in any form of JSON that is within the range of the type.
func (d *Decoder) Float64() float64 {
	n := numberLen(d.data[d.pos:])
	value, err := strconv.ParseFloat(string(d.data[d.pos:d.pos+n]), 64)
	if err != nil {
		d.expect(NumberExpected)
		return 0
	}
	d.pos += n
	return value
}

// Count returns the number of elements in a list of numbers or booleans. The first element must be
// next. For other lists the result has no meaning, but it is never so large that allocating for it
// does harm.
func (d *Decoder) Count() int {
	rest := d.data[d.pos:min(d.pos+maxCounted, len(d.data))]
	end := max(bytes.IndexByte(rest, ']'), 0)
	return 1 + bytes.Count(rest[:end], comma)
}

// maxCounted is the number of bytes in which elements are counted.
const maxCounted = 1 << 12

// NewInt reads a whole number like [Decoder.Int] and returns a pointer to it. Several numbers share
// an allocation.
func (d *Decoder) NewInt() *int {
	if len(d.ints) == 0 {
		d.ints = make([]int, 8)
	}
	p := &d.ints[0]
	d.ints = d.ints[1:]
	*p = d.Int()
	return p
}

// numberLen returns the length of the JSON number at the beginning of data, or 0.
func numberLen(data []byte) int {
	i := 0
	if i < len(data) && data[i] == '-' {
		i++
	}
	whole := digits(data[i:])
	if whole == 0 || whole > 1 && data[i] == '0' {
		return 0
	}
	i += whole
	if i < len(data) && data[i] == '.' {
		fraction := digits(data[i+1:])
		if fraction == 0 {
			return 0
		}
		i += 1 + fraction
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		exponent := digits(data[i:])
		if exponent == 0 {
			return 0
		}
		i += exponent
	}
	return i
}

// digits returns the number of digits at the beginning of data.
func digits(data []byte) int {
	n := 0
	for n < len(data) && isDigit(data[n]) {
		n++
	}
	return n
}

// comma is never modified.
var comma = []byte{','}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Int64 appends a whole number.
func (e *Encoder) Int64(dst []byte, v int64) []byte { return strconv.AppendInt(dst, v, 10) }

// Float64 appends a number as JavaScript writes it, except for -0. It fails for a number that is
// not finite.
func (e *Encoder) Float64(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.fail = true
		return dst
	}
	return jsontext.AppendFloat(dst, v, 64)
}
