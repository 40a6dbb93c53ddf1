package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeEmbeddingRequest decodes the request for embeddings, as [DecodeRequest] does that for a
// completion. An input of token ids decodes: its elements are values, not texts. The error is a
// *[wire.MalformedError].
func DecodeEmbeddingRequest(data []byte) (*openaiapi.CreateEmbeddingRequest, error) {
	return codec.Decode[openaiapi.CreateEmbeddingRequest](payloadEmbeddingRequest, data)
}

// DecodeEmbeddingResponse decodes embeddings, as [DecodeResponse] does a completion.
func DecodeEmbeddingResponse(data []byte) (*openaiapi.CreateEmbeddingResponse, error) {
	return codec.Decode[openaiapi.CreateEmbeddingResponse](payloadEmbeddings, data)
}

// AppendEmbeddingResponse appends embeddings as JSON to dst and returns the extended slice, as
// [AppendResponse] does a completion.
func AppendEmbeddingResponse(dst []byte, r *openaiapi.CreateEmbeddingResponse) ([]byte, error) {
	return codec.Append(payloadEmbeddings, dst, r)
}
