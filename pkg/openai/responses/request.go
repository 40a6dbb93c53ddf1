package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes the body of a call. Clients send more forms than OpenAI documents, so it
// also accepts 40.0 for a whole number, an object or string without its list, and member names in
// another letter case. It keeps unknown members and treats null as absent. A message without a
// type, as most clients send it, stays without one.
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*openaiapi.CreateResponseRequest, error) {
	return codec.Decode[openaiapi.CreateResponseRequest](payloadRequest, data)
}

// EncodeRequest encodes a request as JSON, by the rules of [EncodeResponse] and with the same
// errors.
func EncodeRequest(r *openaiapi.CreateResponseRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// DecodeCountRequest decodes the body of a call that counts the tokens of an input, by the rules of
// [DecodeRequest].
func DecodeCountRequest(data []byte) (*openaiapi.CountInputTokensRequest, error) {
	return codec.Decode[openaiapi.CountInputTokensRequest](payloadCountRequest, data)
}
