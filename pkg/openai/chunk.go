package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeChunk decodes a chunk of a streamed completion, by the rules of [DecodeResponse] and with
// the same errors.
func DecodeChunk(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	return codec.Decode[openaiapi.CreateChatCompletionStreamResponse](payloadCompletion, data)
}

// EncodeChunk encodes a chunk of a streamed completion as JSON, by the rules of [EncodeResponse]
// and with the same errors.
func EncodeChunk(c *openaiapi.CreateChatCompletionStreamResponse) ([]byte, error) {
	return codec.Encode(payloadCompletion, c)
}

// AppendChunk appends the encoding of [EncodeChunk] to dst and returns the extended slice. After an
// error it returns dst unchanged.
func AppendChunk(dst []byte, c *openaiapi.CreateChatCompletionStreamResponse) ([]byte, error) {
	return codec.Append(payloadCompletion, dst, c)
}
