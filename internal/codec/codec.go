package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
)

// Payload names the JSON that is read or written. Errors contain this name.
type Payload struct {
	Wire string // which is also the name of its package, such as "gemini"
	Name string // such as "request"
	// Strict refuses every alternative form of a value. It accepts only NaN and the infinities by
	// name.
	Strict bool
}

// Type is a wire type with a generated codec. The codec is fast, but understands only plain JSON.
type Type[T any] interface {
	*T
	ReadPlainJSON(data []byte) bool
	ReadAnyJSON(data []byte) error
	AppendPlainJSON(dst []byte) ([]byte, bool)
}

// Decode decodes a payload in any form that its type accepts. It tries plain JSON first, which is
// nearly everything that servers send. It replaces half a surrogate pair by U+FFFD, see
// [transform.ReplacedText]. The error is a *[MalformedError]. The result shares no memory with
// data.
func Decode[T any, P Type[T]](payload Payload, data []byte) (*T, error) {
	if out := new(T); P(out).ReadPlainJSON(data) {
		return out, nil
	}
	return DecodeAnyForm[T, P](payload, data)
}

// DecodeAnyForm is like [Decode], for data that is known not to be plain JSON.
func DecodeAnyForm[T any, P Type[T]](payload Payload, data []byte) (*T, error) {
	if err := CheckRoot(payload, data); err != nil {
		return nil, err
	}
	data = jsonx.ReplaceHalfPairs(data)
	out := new(T)
	var err error
	if payload.Strict {
		err = readStrictly(data, out)
	} else {
		err = P(out).ReadAnyJSON(data)
	}
	if err != nil {
		return nil, NewMalformedError(payload, data, err)
	}
	return out, nil
}

// readStrictly accepts values only in the exact form of their types.
func readStrictly[T any](data []byte, out *T) error {
	err := json.Unmarshal(data, out, jsonx.ReadByMember)
	if _, wrongType := errors.AsType[*json.SemanticError](err); !wrongType {
		return err
	}
	var again T // a new value, without the remains of the first pass
	if json.Unmarshal(data, &again, jsonx.ReadByMember,
		json.WithUnmarshalers(jsonx.NonFiniteUnmarshalers)) != nil {
		return err
	}
	*out = again
	return nil
}

// Read decodes everything that r contains. It returns an error of r wrapped.
func Read[T any, P Type[T]](payload Payload, r io.Reader) (*T, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", payload.Wire, payload.Name, err)
	}
	return Decode[T, P](payload, data)
}

// Encode encodes a payload as canonical JSON: compact, without HTML escapes, and with equal bytes
// for equal values. Free-form values and unknown members keep their bytes. The error is an
// *[EncodeError].
func Encode[T any, P Type[T]](payload Payload, v *T) ([]byte, error) {
	return Append[T, P](payload, nil, v)
}

// Append appends the result of [Encode] to dst and returns the extended slice. If it fails, it
// returns dst unchanged. Media are copied once, directly to their final position.
func Append[T any, P Type[T]](payload Payload, dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return dst, NewEncodeError(payload, ErrNothing)
	}
	if out, ok := P(v).AppendPlainJSON(dst); ok {
		return out, nil
	}
	out := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(out, v, jsonx.Canonical); err != nil {
		return dst, NewEncodeError(payload, err)
	}
	return out.Bytes(), nil
}

// Write writes the result of [Encode] in one call of w.Write. It writes nothing if v cannot be
// encoded. It returns an error of w wrapped.
func Write[T any, P Type[T]](payload Payload, w io.Writer, v *T) error {
	data, err := Encode[T, P](payload, v)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("%s: %s: %w", payload.Wire, payload.Name, err)
	}
	return nil
}
