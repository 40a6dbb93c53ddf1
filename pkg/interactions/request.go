package interactions

import (
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes a request for an interaction. It keeps unknown members, steps, content and
// tools, and treats null as absent. It does not validate; see [ValidateRequest].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*interactionsapi.CreateInteractionRequest, error) {
	return codec.Decode[interactionsapi.CreateInteractionRequest](payloadRequest, data)
}

// EncodeRequest encodes a request for an interaction as JSON, like [EncodeResponse].
func EncodeRequest(r *interactionsapi.CreateInteractionRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// AppendRequest appends the encoding of [EncodeRequest] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendRequest(dst []byte, r *interactionsapi.CreateInteractionRequest) ([]byte, error) {
	return codec.Append(payloadRequest, dst, r)
}
