package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeEvent decodes the data of an event of a stream, by the rules of [DecodeResponse] and with
// the same errors.
func DecodeEvent(data []byte) (*anthropicapi.StreamEvent, error) {
	return codec.Decode[anthropicapi.StreamEvent](payloadEvent, data)
}

// EncodeEvent encodes the data of an event of a stream as JSON, by the rules of [EncodeResponse]
// and with the same errors. A [StreamWriter] writes the lines around it.
func EncodeEvent(e *anthropicapi.StreamEvent) ([]byte,
	error) {
	return codec.Encode(payloadEvent, e)
}

// AppendEvent appends the encoding of [EncodeEvent] to dst and returns the extended slice. After an
// error it returns dst unchanged.
func AppendEvent(dst []byte, e *anthropicapi.StreamEvent) ([]byte, error) {
	return codec.Append(payloadEvent, dst, e)
}
