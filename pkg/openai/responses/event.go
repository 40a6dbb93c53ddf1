package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeEvent decodes the data of an event of a stream, by the rules of [DecodeResponse] and with
// the same errors.
func DecodeEvent(data []byte) (*openaiapi.ResponseEvent, error) {
	return codec.Decode[openaiapi.ResponseEvent](payloadEvent, data)
}

// EncodeEvent encodes the data of an event of a stream as JSON on one line, by the rules of
// [EncodeResponse] and with the same errors.
func EncodeEvent(e *openaiapi.ResponseEvent) ([]byte,
	error) {
	return codec.Encode(payloadEvent, e)
}

// AppendEvent appends the encoding of [EncodeEvent] to dst and returns the extended slice. After an
// error it returns dst unchanged.
func AppendEvent(dst []byte, e *openaiapi.ResponseEvent) ([]byte, error) {
	return codec.Append(payloadEvent, dst, e)
}

// IsTerminal reports whether an event of this type is the last one of a stream. Such an event has
// the whole response.
func IsTerminal(kind openaiapi.ResponseEventType) bool {
	switch kind {
	case openaiapi.ResponseEventTypeCompleted, openaiapi.ResponseEventTypeIncomplete,
		openaiapi.ResponseEventTypeFailed:
		return true
	default:
		return false
	}
}
