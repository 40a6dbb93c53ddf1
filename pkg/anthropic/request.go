package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes a request for a message or for a token count, which has the same members.
// It keeps unknown members, names, block types and tool types, and treats null as absent. It
// accepts common mistakes of clients: a whole number with a fraction of zero, with an exponent or
// in quotes, and the only element of a list without the list. It does not validate; see
// [ValidateRequest].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*anthropicapi.CreateMessageRequest, error) {
	return codec.Decode[anthropicapi.CreateMessageRequest](payloadRequest, data)
}

// EncodeRequest encodes a request for a message as JSON, like [EncodeResponse].
func EncodeRequest(r *anthropicapi.CreateMessageRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}
