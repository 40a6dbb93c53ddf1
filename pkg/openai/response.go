package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// DecodeResponse decodes a completion. Members that it does not know are kept; null is what absent
// is, and a member of a wrong type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, error) {
	return wire.Decode[openaiapi.CreateChatCompletionResponse](payloadCompletion, data)
}

// EncodeResponse encodes a completion as JSON: compact, equal bytes for equal completions, without
// HTML escapes, free-form values and unknown members as they came. The result is allocated once, and
// media is copied once, straight to where it belongs.
//
// It returns an *[EncodeError] when r is nil, or holds a [jsontext.Value] that is not JSON or a
// string that is not UTF-8.
func EncodeResponse(r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	return wire.Encode(payloadCompletion, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	return wire.Append(payloadCompletion, dst, r)
}

// The payloads. They are never written to.
var (
	payloadCompletion = wire.Payload{Wire: "openai", Name: "completion", Strict: true} // and a chunk of one
	payloadForeign    = wire.Payload{Wire: "openai", Name: "completion"}               // of any server
	payloadRequest    = wire.Payload{Wire: "openai", Name: "request"}
	payloadError      = wire.Payload{Wire: "openai", Name: "error"}

	payloadEmbeddingRequest = wire.Payload{Wire: "openai", Name: "request for embeddings"}
	payloadEmbeddings       = wire.Payload{Wire: "openai", Name: "embeddings", Strict: true}
	payloadModels           = wire.Payload{Wire: "openai", Name: "list of models", Strict: true}
	payloadModel            = wire.Payload{Wire: "openai", Name: "model", Strict: true}

	payloadFile         = wire.Payload{Wire: "openai", Name: "file", Strict: true}
	payloadFiles        = wire.Payload{Wire: "openai", Name: "list of files", Strict: true}
	payloadDeletedFile  = wire.Payload{Wire: "openai", Name: "deletion of a file", Strict: true}
	payloadBatchRequest = wire.Payload{Wire: "openai", Name: "request for a batch"}
	payloadBatch        = wire.Payload{Wire: "openai", Name: "batch", Strict: true}
	payloadBatches      = wire.Payload{Wire: "openai", Name: "list of batches", Strict: true}
)

// MalformedError reports why bytes are not the payload that they were decoded as, and where: its members
// are Wire, Payload, Pointer, Offset, Message and Err. It is the same type for every wire.
type MalformedError = wire.MalformedError

// EncodeError reports why a payload cannot be written as JSON: its members are Wire, Payload, Pointer and
// Err. It is the same type for every wire.
type EncodeError = wire.EncodeError
