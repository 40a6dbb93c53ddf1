package wiretype

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Int64 is a 64-bit integer that Google's JSON writes as a string ("3") and also accepts as a
// number (3, 3.0, 3e2). It keeps its original text, so that decoding and encoding it changes
// nothing.
//
// The zero value is 0 in the canonical form, "0". Two values in the canonical form are equal by ==
// if their integers are.
type Int64 struct {
	value int64
	// text is the original JSON of the integer; "" stands for the canonical form.
	text string
}

// NewInt64 returns v in its canonical form, a JSON string of decimal digits.
func NewInt64(v int64) Int64 { return Int64{value: v} }

// Int64 returns the integer.
func (i Int64) Int64() int64 { return i.value }

// String returns the integer in decimal digits.
func (i Int64) String() string { return strconv.FormatInt(i.value, 10) }

// AppendJSON appends the integer to dst in its original form.
func (i Int64) AppendJSON(dst []byte) []byte {
	if i.text != "" {
		return append(dst, i.text...)
	}
	dst = strconv.AppendInt(append(dst, '"'), i.value, 10)
	return append(dst, '"')
}

// MarshalJSON returns the integer in its original form.
func (i Int64) MarshalJSON() ([]byte, error) { return i.AppendJSON(nil), nil }

// MarshalJSONTo writes the integer in its original form.
func (i Int64) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(i.AppendJSON(nil))
}

// UnmarshalJSON reads what [ParseInt64] accepts; anything else is an error that names the text.
func (i *Int64) UnmarshalJSON(data []byte) error {
	value, err := ParseInt64(data)
	if err != nil {
		return err
	}
	*i = value
	return nil
}

// UnmarshalJSONFrom reads the next value like UnmarshalJSON.
func (i *Int64) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return i.UnmarshalJSON(raw)
}

// ParseInt64 returns the integer of a JSON text without white space around it: a number, or a
// string that holds a number, whose value is a whole 64-bit number. For null it returns zero.
func ParseInt64(raw jsontext.Value) (Int64, error) {
	number := raw
	switch raw.Kind() {
	case jsontext.KindNull:
		return Int64{}, nil
	case jsontext.KindNumber:
	case jsontext.KindString:
		var err error
		if number, err = jsontext.AppendUnquote(nil, raw); err != nil {
			return Int64{}, err
		}
	default:
		return Int64{}, fmt.Errorf("a 64-bit integer is a string or a number, not %v", raw.Kind())
	}
	value, err := parseInteger(string(number))
	if err != nil {
		return Int64{}, err
	}
	i := NewInt64(value)
	if canonical := strconv.Quote(i.String()); canonical != string(raw) {
		i.text = string(raw)
	}
	return i, nil
}

var (
	errNotWhole = errors.New("not a whole number")
	errRange    = errors.New("out of the range of 64 bits")
	errNumber   = errors.New("not a number")
)

// parseInteger returns the exact value of a JSON number that is a whole 64-bit integer, in any
// notation. It never uses a float, which would change digits above 2^53.
func parseInteger(number string) (int64, error) {
	if v, err := strconv.ParseInt(number, 10, 64); err == nil && isNumber(number) {
		return v, nil
	}
	digits, err := wholeDigits(number)
	if err == nil {
		var v int64
		if v, err = strconv.ParseInt(digits, 10, 64); err == nil {
			return v, nil
		}
		err = errRange
	}
	return 0, fmt.Errorf("%.40q: %w", number, err)
}

// wholeDigits moves the decimal point of a JSON number by its exponent. It returns the digits of
// the resulting whole number, with its sign.
func wholeDigits(number string) (string, error) {
	if !isNumber(number) {
		return "", errNumber
	}
	const maxDigits = len("9223372036854775807")
	unsigned, negative := strings.CutPrefix(number, "-")
	mantissa, exponentText, _ := strings.Cut(strings.ToLower(unsigned), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")

	digits := strings.TrimRight(whole+fraction, "0")
	dropped := len(whole+fraction) - len(digits)
	if strings.TrimLeft(digits, "0") == "" {
		return "0", nil
	}
	exponent := 0
	if exponentText != "" {
		e, err := strconv.ParseInt(exponentText, 10, 32)
		if err != nil {
			return "", errRange
		}
		exponent = int(e)
	}
	zeros := exponent - len(fraction) + dropped
	digits = strings.TrimLeft(digits, "0")
	switch {
	case zeros < 0:
		return "", errNotWhole
	case len(digits)+zeros > maxDigits:
		return "", errRange
	}
	digits += strings.Repeat("0", zeros)
	if negative {
		digits = "-" + digits
	}
	return digits, nil
}

// isNumber reports whether text is a number in JSON's grammar: no leading plus sign or zeros, no
// hexadecimal digits, no underscores.
func isNumber(text string) bool {
	value := jsontext.Value(text)
	return value.Kind() == jsontext.KindNumber && value.IsValid() && strings.TrimSpace(text) == text
}
