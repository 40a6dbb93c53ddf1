package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes the body of a call. Clients are known to send more than OpenAI documents,
// so it also takes 40.0 for a whole number, a lone object or string for a list, and what the names
// of members differ in by letter case. Members that it does not know are kept; null is what absent
// is. A message without a type, as most clients send it, stays without one.
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*openaiapi.CreateResponseRequest, error) {
	return codec.Decode[openaiapi.CreateResponseRequest](payloadRequest, data)
}

// EncodeRequest encodes a request as JSON, by the rules of [EncodeResponse] and with its errors.
func EncodeRequest(r *openaiapi.CreateResponseRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// DecodeCountRequest decodes the body of a call that counts the tokens of an input, by the rules of
// [DecodeRequest].
func DecodeCountRequest(data []byte) (*openaiapi.CountInputTokensRequest, error) {
	return codec.Decode[openaiapi.CountInputTokensRequest](payloadCountRequest, data)
}
