package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeResponse decodes a completion. It keeps unknown members and treats null as absent. A member
// of a wrong type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, error) {
	return codec.Decode[openaiapi.CreateChatCompletionResponse](payloadCompletion, data)
}

// EncodeResponse encodes a completion as JSON: compact, equal bytes for equal completions, without
// HTML escapes. Free-form values and unknown members stay as they were received. The result is
// allocated once, and media is copied once, directly to its place.
//
// It returns an *[wire.EncodeError] if r is nil, if a [jsontext.Value] in r is not JSON, or if a
// string is not UTF-8.
func EncodeResponse(r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	return codec.Encode(payloadCompletion, r)
}

// AppendResponse appends the encoding of [EncodeResponse] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendResponse(dst []byte, r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	return codec.Append(payloadCompletion, dst, r)
}

// The payloads. They are never modified.
var (
	// also for chunks
	payloadCompletion = codec.Payload{Wire: "openai", Name: "completion", Strict: true}
	// of any server
	payloadForeign = codec.Payload{Wire: "openai", Name: "completion"}
	payloadRequest = codec.Payload{Wire: "openai", Name: "request"}
	payloadError   = codec.Payload{Wire: "openai", Name: "error"}

	payloadEmbeddingRequest = codec.Payload{Wire: "openai", Name: "embeddings request"}
	payloadEmbeddings       = codec.Payload{Wire: "openai", Name: "embeddings", Strict: true}
	payloadModels           = codec.Payload{Wire: "openai", Name: "list of models", Strict: true}
	payloadModel            = codec.Payload{Wire: "openai", Name: "model", Strict: true}

	payloadFile         = codec.Payload{Wire: "openai", Name: "file", Strict: true}
	payloadFiles        = codec.Payload{Wire: "openai", Name: "list of files", Strict: true}
	payloadDeletedFile  = codec.Payload{Wire: "openai", Name: "deletion of a file", Strict: true}
	payloadBatchRequest = codec.Payload{Wire: "openai", Name: "batch request"}
	payloadBatch        = codec.Payload{Wire: "openai", Name: "batch", Strict: true}
	payloadBatches      = codec.Payload{Wire: "openai", Name: "list of batches", Strict: true}
)
