package openai

import (
	"errors"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Google writes log probabilities that are no finite number as strings by these names.
var nonFinite = map[string]float64{
	"NaN":       math.NaN(),
	"Infinity":  math.Inf(1),
	"-Infinity": math.Inf(-1),
}

var nonFiniteMarshalers = json.MarshalToFunc(func(enc *jsontext.Encoder, v float64) error {
	if isFinite(v) {
		return errors.ErrUnsupported // the default takes over
	}
	return enc.WriteToken(jsontext.Float(v)) // as a string
})

var nonFiniteUnmarshalers = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, v *float64) error {
	if dec.PeekKind() != jsontext.KindString {
		return errors.ErrUnsupported
	}
	token, err := dec.ReadToken()
	if err != nil {
		return err
	}
	number, known := nonFinite[token.String()]
	if !known {
		return errors.New("a number was expected, found a string")
	}
	*v = number
	return nil
})
