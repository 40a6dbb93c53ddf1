package jsonx

import (
	"errors"
	"math"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON has no NaN and no infinities. Google writes such log probabilities with the names of
// protocol buffers, as the strings "NaN", "Infinity" and "-Infinity". The functions for these names
// slow down every number, so they are only used for the rare payload that needs them.

// NonFiniteMarshalers write NaN and the infinities, and leave all other numbers to the library.
var NonFiniteMarshalers = json.MarshalToFunc(func(enc *jsontext.Encoder, v float64) error {
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		return errors.ErrUnsupported
	}
	return enc.WriteToken(jsontext.Float(v)) // as a string
})

// NonFiniteUnmarshalers read the names. They leave everything that is not a string to the library,
// and refuse any other string.
var NonFiniteUnmarshalers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *float64) error {
	return read(dec, v, func(string) (float64, error) { return 0, errString })
})

// LenientNonFiniteUnmarshalers also read "0.5" as 0.5.
var LenientNonFiniteUnmarshalers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder,
	v *float64) error {
	return read(dec, v, parse)
})

var errString = errors.New("a number was expected, found a string")

// read reads a name. It passes any other string to other.
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
