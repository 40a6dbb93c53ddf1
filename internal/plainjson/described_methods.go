package plainjson

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal returns the bytes that encode appends. size is the approximate length.
func Marshal(size int, encode func(*Encoder, []byte) []byte) ([]byte, error) {
	var e Encoder
	out := encode(&e, Grow(nil, size))
	if e.Done() {
		return out, nil
	}
	e = Encoder{Lenient: true}
	if out = encode(&e, out[:0]); e.Done() {
		return out, nil
	}
	return nil, e.fault.semantic(out)
}

// MarshalTo writes the result of [Marshal].
func MarshalTo(enc *jsontext.Encoder, size int, encode func(*Encoder, []byte) []byte) error {
	out, err := Marshal(size, encode)
	if err != nil {
		return err
	}
	return enc.WriteValue(out)
}

// Unmarshal calls decode to read data. If data is not plain, it calls reset and decodes again.
func Unmarshal(data []byte, decode func(*Decoder), reset func()) error {
	d := NewDecoder(data)
	if decode(&d); d.Done() {
		return nil
	}
	reset()
	data = ValidUTF8(data)
	if value := jsontext.Value(data); !value.IsValid(Lenient) {
		return &json.SemanticError{Err: errors.New(NotJSON)}
	}
	d = NewLenientDecoder(data)
	if decode(&d); d.Done() {
		return nil
	}
	return d.fault.semantic(data)
}

// UnmarshalFrom passes the next value to unmarshal.
func UnmarshalFrom(dec *jsontext.Decoder, unmarshal func([]byte) error) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return unmarshal(value)
}

// semantic converts the fault in data to an error of the JSON library.
func (f Fault) semantic(data []byte) error {
	return &json.SemanticError{JSONPointer: f.Pointer(data), ByteOffset: int64(f.Offset),
		Err: errors.New(f.Reason)}
}
