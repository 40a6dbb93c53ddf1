package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeEmbeddingRequest decodes an embeddings request, like [DecodeRequest]. An input of token ids
// decodes: its elements are values, not texts. The error is a *[wire.MalformedError].
func DecodeEmbeddingRequest(data []byte) (*openaiapi.CreateEmbeddingRequest, error) {
	return codec.Decode[openaiapi.CreateEmbeddingRequest](payloadEmbeddingRequest, data)
}

// DecodeEmbeddingResponse decodes embeddings, like [DecodeResponse].
func DecodeEmbeddingResponse(data []byte) (*openaiapi.CreateEmbeddingResponse, error) {
	return codec.Decode[openaiapi.CreateEmbeddingResponse](payloadEmbeddings, data)
}

// AppendEmbeddingResponse appends embeddings as JSON to dst and returns the extended slice, like
// [AppendResponse].
func AppendEmbeddingResponse(dst []byte, r *openaiapi.CreateEmbeddingResponse) ([]byte, error) {
	return codec.Append(payloadEmbeddings, dst, r)
}
