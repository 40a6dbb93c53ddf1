package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes a request for a message, or for a count of tokens, which has the same
// members. Members, names, types of blocks and types of tools that it does not know are kept, and
// null is what absent is. What clients are known to get wrong is read as it was meant: a whole
// number with a fraction of zero, an exponent or in quotes, and a list's only element without the
// list around it. It does not validate; see [ValidateRequest].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*anthropicapi.CreateMessageRequest, error) {
	return codec.Decode[anthropicapi.CreateMessageRequest](payloadRequest, data)
}

// EncodeRequest encodes a request for a message as JSON, as [EncodeResponse] does a message.
func EncodeRequest(r *anthropicapi.CreateMessageRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}
