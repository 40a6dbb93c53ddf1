package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeResponse decodes a message. It keeps unknown members and block types. A member of a wrong
// type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*anthropicapi.Message, error) {
	return codec.Decode[anthropicapi.Message](payloadMessage, data)
}

// EncodeResponse encodes a message as JSON: compact, equal bytes for equal messages, without HTML
// escapes. Free-form values and unknown members stay as they were received.
//
// It returns an *[wire.EncodeError] if r is nil, if a [jsontext.Value] in r is not JSON, or if a
// string is not UTF-8.
func EncodeResponse(r *anthropicapi.Message) ([]byte,
	error) {
	return codec.Encode(payloadMessage, r)
}

// AppendResponse appends the encoding of [EncodeResponse] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendResponse(dst []byte, r *anthropicapi.Message) ([]byte, error) {
	return codec.Append(payloadMessage, dst, r)
}

// DecodeCount decodes a token count, like [DecodeResponse].
func DecodeCount(data []byte) (*anthropicapi.MessageTokensCount, error) {
	return codec.Decode[anthropicapi.MessageTokensCount](payloadCount, data)
}

// AppendCount appends a token count as JSON to dst and returns the extended slice, like
// [AppendResponse].
func AppendCount(dst []byte, c *anthropicapi.MessageTokensCount) ([]byte, error) {
	return codec.Append(payloadCount, dst, c)
}

// The payloads. They are never modified.
var (
	payloadMessage = codec.Payload{Wire: "anthropic", Name: "message", Strict: true}
	payloadEvent   = codec.Payload{Wire: "anthropic", Name: "event", Strict: true}
	payloadRequest = codec.Payload{Wire: "anthropic", Name: "request"}
	payloadCount   = codec.Payload{Wire: "anthropic", Name: "token count", Strict: true}
	payloadError   = codec.Payload{Wire: "anthropic", Name: "error"}
	payloadModels  = codec.Payload{Wire: "anthropic", Name: "list of models", Strict: true}
	payloadModel   = codec.Payload{Wire: "anthropic", Name: "model", Strict: true}
)
