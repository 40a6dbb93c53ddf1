package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes a request for a completion. It keeps unknown members and names, and treats
// null as absent. It accepts common mistakes of clients: a whole number with a fraction of zero,
// with an exponent or in quotes; the only element of a list without the list; an image's address
// without the object around it; arguments of a call as an object. A member that OpenAI does not
// have, such as reasoning, becomes an unknown member if its form is unknown. DecodeRequest does not
// validate; see [ValidateRequest].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*openaiapi.CreateChatCompletionRequest, error) {
	r, err := codec.Decode[openaiapi.CreateChatCompletionRequest](payloadRequest, data)
	if err == nil {
		return r, nil
	}
	if r, errForeign := decodeForeign(data); errForeign == nil {
		return r, nil
	}
	return nil, err
}

// EncodeRequest encodes a request for a completion as JSON, like [EncodeResponse].
func EncodeRequest(r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// AppendRequest appends the encoding of [EncodeRequest] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendRequest(dst []byte, r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return codec.Append(payloadRequest, dst, r)
}
