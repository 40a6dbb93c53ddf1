// Package nonfinite reads and writes NaN and the infinities, which JSON has no form for, by the names
// that protocol buffers give them: Google writes log probabilities so, as the strings "NaN", "Infinity"
// and "-Infinity".
//
// Its functions are for the rare payload that needs them: they slow down every number.
package nonfinite

import (
	"errors"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshalers write the numbers that are not finite, and leave the others to the library.
var Marshalers = json.MarshalToFunc(func(enc *jsontext.Encoder, v float64) error {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		return errors.ErrUnsupported
	}
	return enc.WriteToken(jsontext.Float(v)) // as a string
})

// Unmarshalers read the names, and leave everything that is no string to the library. Another string is
// an error.
var Unmarshalers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *float64) error {
	return read(dec, v, func(string) (float64, error) { return 0, errString })
})

// LenientUnmarshalers read also "0.5" for 0.5.
var LenientUnmarshalers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *float64) error {
	return read(dec, v, parse)
})

var errString = errors.New("a number was expected, found a string")

// read reads a name, or what other makes of another string.
func read(dec *jsontext.Decoder, v *float64, other func(string) (float64, error)) error {
	if dec.PeekKind() != jsontext.KindString {
		return errors.ErrUnsupported // the library takes over
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	switch text := token.String(); text {
	case "NaN":
		*v = math.NaN()
	case "Infinity":
		*v = math.Inf(1)
	case "-Infinity":
		*v = math.Inf(-1)
	default:
		*v, err = other(text)
	}
	return err
}

// parse reads a JSON number. Its error does not quote the text.
func parse(text string) (float64, error) {
	if value := jsontext.Value(text); value.Kind() != jsontext.KindNumber || !value.IsValid() {
		return 0, strconv.ErrSyntax // strconv itself would take hexadecimal digits too
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, errors.Unwrap(err)
}
