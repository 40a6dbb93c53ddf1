package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeBatchRequest decodes the body of a request for a batch, as [DecodeRequest] does that for a
// completion.
func DecodeBatchRequest(data []byte) (*openaiapi.CreateBatchRequest, error) {
	return codec.Decode[openaiapi.CreateBatchRequest](payloadBatchRequest, data)
}

// DecodeBatch decodes a batch, as [DecodeResponse] does a completion.
func DecodeBatch(data []byte) (*openaiapi.Batch, error) {
	return codec.Decode[openaiapi.Batch](payloadBatch, data)
}

// EncodeBatch encodes a batch. Its error is that of [EncodeResponse].
func EncodeBatch(b *openaiapi.Batch) ([]byte, error) { return codec.Encode(payloadBatch, b) }

// EncodeBatches encodes a page of batches. Its error is that of [EncodeResponse].
func EncodeBatches(page *openaiapi.ListBatchesResponse) ([]byte, error) {
	return codec.Encode(payloadBatches, page)
}
