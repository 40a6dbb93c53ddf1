package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeResponse decodes a message. Members and types of blocks that it does not know are kept, and
// a member of a wrong type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*anthropicapi.Message, error) {
	return codec.Decode[anthropicapi.Message](payloadMessage, data)
}

// EncodeResponse encodes a message as JSON: compact, equal bytes for equal messages, without HTML
// escapes, free-form values and unknown members as they came.
//
// It returns an *[wire.EncodeError] when r is nil, or holds a [jsontext.Value] that is not JSON or
// a string that is not UTF-8.
func EncodeResponse(r *anthropicapi.Message) ([]byte,
	error) {
	return codec.Encode(payloadMessage, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *anthropicapi.Message) ([]byte, error) {
	return codec.Append(payloadMessage, dst, r)
}

// DecodeCount decodes a count of tokens, as [DecodeResponse] does a message.
func DecodeCount(data []byte) (*anthropicapi.MessageTokensCount, error) {
	return codec.Decode[anthropicapi.MessageTokensCount](payloadCount, data)
}

// AppendCount appends a count of tokens as JSON to dst and returns the extended slice, as
// [AppendResponse] does a message.
func AppendCount(dst []byte, c *anthropicapi.MessageTokensCount) ([]byte, error) {
	return codec.Append(payloadCount, dst, c)
}

// The payloads. They are never written to.
var (
	payloadMessage = codec.Payload{Wire: "anthropic", Name: "message", Strict: true}
	payloadEvent   = codec.Payload{Wire: "anthropic", Name: "event", Strict: true}
	payloadRequest = codec.Payload{Wire: "anthropic", Name: "request"}
	payloadCount   = codec.Payload{Wire: "anthropic", Name: "count of tokens", Strict: true}
	payloadError   = codec.Payload{Wire: "anthropic", Name: "error"}
	payloadModels  = codec.Payload{Wire: "anthropic", Name: "list of models", Strict: true}
	payloadModel   = codec.Payload{Wire: "anthropic", Name: "model", Strict: true}
)
