package normalize

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/internal/nonfinite"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode writes a response in its JSON form, which the command calls "normalized": compact, equal
// bytes for equal responses, without HTML escapes, and with free-form values as the wire had them
// but for white space.
//
// It fails when r is nil or holds a [jsontext.Value] that is not JSON.
func Encode(r *Response) ([]byte, error) {
	if r == nil {
		return nil, errors.New("normalize: encode: no response")
	}
	return marshal("encode", r)
}

// Decode reads what [Encode] writes. Members that it does not know are an error, so that a payload
// in another form is not taken for an empty response; the errors of the JSON library that it wraps
// name the place. It does not validate; see [Validate].
func Decode(data []byte) (*Response, error) { return unmarshal[Response]("decode", data) }

// marshal writes one of this package's forms; what names the attempt in an error.
func marshal[T any](what string, form *T) ([]byte, error) {
	data, err := json.Marshal(form, encoding)
	if err != nil {
		data, err = json.Marshal(form, encodingNonFinite)
	}
	if err != nil {
		return nil, fmt.Errorf("normalize: %s: %w", what, err)
	}
	return data, nil
}

func unmarshal[T any](what string, data []byte) (*T, error) {
	out := new(T)
	err := json.Unmarshal(data, out, decoding)
	if _, wrongType := errors.AsType[*json.SemanticError](err); wrongType {
		again := new(T) // without what the first pass left behind
		if json.Unmarshal(data, again, decodingNonFinite) == nil {
			return again, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("normalize: %s: %w", what, err)
	}
	return out, nil
}

var (
	// encoding leaves the escapes of free-form strings as they came.
	encoding = json.JoinOptions(wirejson.WriteByMember, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	decoding = json.RejectUnknownMembers(true)

	// The functions for NaN and the infinities, which the codec reads as the strings that Google
	// writes for them, are for the rare response that needs them: they slow down every number.
	encodingNonFinite = json.JoinOptions(encoding, json.WithMarshalers(nonfinite.Marshalers))
	decodingNonFinite = json.JoinOptions(decoding, json.WithUnmarshalers(nonfinite.Unmarshalers))
)
