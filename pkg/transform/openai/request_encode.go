package openai

import "github.com/gemwire/gemwire/gen/openaiapi"

// EncodeRequest encodes the request for a completion as JSON, as [EncodeResponse] does a completion.
func EncodeRequest(r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return AppendRequest(nil, r)
}

// AppendRequest appends what [EncodeRequest] returns to dst and returns the extended slice. After an
// error dst is returned as it was.
func AppendRequest(dst []byte, r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	if r == nil {
		return dst, newEncodeError(payloadRequest, errNothing)
	}
	return appendPayload(dst, payloadRequest, r)
}
