package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeBatchRequest decodes the body of a batch request, like [DecodeRequest].
func DecodeBatchRequest(data []byte) (*openaiapi.CreateBatchRequest, error) {
	return codec.Decode[openaiapi.CreateBatchRequest](payloadBatchRequest, data)
}

// DecodeBatch decodes a batch, like [DecodeResponse].
func DecodeBatch(data []byte) (*openaiapi.Batch, error) {
	return codec.Decode[openaiapi.Batch](payloadBatch, data)
}

// EncodeBatch encodes a batch. It returns the same errors as [EncodeResponse].
func EncodeBatch(b *openaiapi.Batch) ([]byte, error) { return codec.Encode(payloadBatch, b) }

// EncodeBatches encodes a page of batches. It returns the same errors as [EncodeResponse].
func EncodeBatches(page *openaiapi.ListBatchesResponse) ([]byte, error) {
	return codec.Encode(payloadBatches, page)
}
