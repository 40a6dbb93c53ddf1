package normalize

import (
	"errors"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode writes a response in its JSON form, which the command calls "normalized". The output is
// compact, equal for equal responses, and has no HTML escapes. Free-form values keep the bytes of
// the wire except white space.
//
// Encode returns a *[wire.EncodeError] if r is nil or holds a [jsontext.Value] that is not JSON.
func Encode(r *Response) ([]byte, error) { return marshal(payloadResponse, r) }

// Decode reads what [Encode] writes. Unknown members are an error, so that a payload in another
// form is not mistaken for an empty response. The error is a *[wire.MalformedError]. Decode does
// not validate; see [Validate].
func Decode(data []byte) (*Response, error) { return unmarshal[Response](payloadResponse, data) }

// marshal writes one of this package's forms.
func marshal[T any](payload codec.Payload, form *T) ([]byte, error) {
	if form == nil {
		return nil, codec.NewEncodeError(payload, codec.ErrNothing)
	}
	data, err := json.Marshal(form, encoding)
	if err != nil {
		data, err = json.Marshal(form, encodingNonFinite)
	}
	if err != nil {
		return nil, codec.NewEncodeError(payload, err)
	}
	return data, nil
}

// unmarshal reads one of this package's forms.
func unmarshal[T any](payload codec.Payload, data []byte) (*T, error) {
	if err := codec.CheckRoot(payload, data); err != nil {
		return nil, err
	}
	data = jsonx.ReplaceHalfPairs(data)
	out := new(T)
	err := json.Unmarshal(data, out, decoding)
	if _, wrongType := errors.AsType[*json.SemanticError](err); wrongType {
		again := new(T) // without the results of the first pass
		if json.Unmarshal(data, again, decodingNonFinite) == nil {
			return again, nil
		}
	}
	if err != nil {
		return nil, codec.NewMalformedError(payload, data, err)
	}
	return out, nil
}

// The payload names in errors. They are read-only.
var (
	payloadResponse = codec.Payload{Wire: "normalize", Name: "response"}
	payloadEvent    = codec.Payload{Wire: "normalize", Name: "event"}
)

var (
	// encoding keeps the escapes of free-form strings.
	encoding = json.JoinOptions(jsonx.WriteByMember, json.Deterministic(true),
		jsontext.PreserveRawStrings(true))
	decoding = json.RejectUnknownMembers(true)

	// Google writes NaN and the infinities as strings, and the codec reads them. The functions for
	// them slow down every number, so only the rare response that needs them uses them.
	encodingNonFinite = json.JoinOptions(encoding, json.WithMarshalers(jsonx.NonFiniteMarshalers))
	decodingNonFinite = json.JoinOptions(decoding,
		json.WithUnmarshalers(jsonx.NonFiniteUnmarshalers))
)
