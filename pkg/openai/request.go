package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeRequest decodes the request for a completion. Members and names that it does not know are
// kept, and null is what absent is. What clients are known to get wrong is read as it was meant: a
// whole number with a fraction of zero, an exponent or in quotes, a list's only element without the
// list around it, an image's address without the object around it, and the arguments of a call as
// an object. A member that OpenAI does not have, such as reasoning, is kept like an unknown one
// where its form is not known. It does not validate; see [ValidateRequest].
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

// EncodeRequest encodes the request for a completion as JSON, as [EncodeResponse] does a
// completion.
func EncodeRequest(r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// AppendRequest appends what [EncodeRequest] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendRequest(dst []byte, r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return codec.Append(payloadRequest, dst, r)
}
