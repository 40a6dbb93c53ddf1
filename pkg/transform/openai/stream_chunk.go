package openai

import (
	"errors"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// EncodeChunk encodes a chunk of a streamed completion as JSON, by the rules of [EncodeResponse] and
// with its errors.
func EncodeChunk(c *openaiapi.CreateChatCompletionStreamResponse) ([]byte, error) {
	return AppendChunk(nil, c)
}

// AppendChunk appends what [EncodeChunk] returns to dst and returns the extended slice. After an
// error dst is returned as it was.
func AppendChunk(dst []byte, c *openaiapi.CreateChatCompletionStreamResponse) ([]byte, error) {
	if c == nil {
		return dst, newEncodeError(payloadCompletion, errNothing)
	}
	return appendPayload(dst, payloadCompletion, c)
}

// DecodeChunk decodes a chunk of a streamed completion, by the rules of [DecodeResponse] and with its
// errors.
func DecodeChunk(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	if kind := jsontext.Value(data).Kind(); kind == jsontext.KindNull { // an empty chunk to the library
		return nil, newMalformedError(payloadCompletion, &json.SemanticError{JSONKind: kind})
	}
	if out := (&chunk{}); out.ReadPlainJSON(data) {
		return out, nil
	}
	out := &chunk{}
	err := json.Unmarshal(data, out, wirejson.ReadByMember)
	if _, wrongType := errors.AsType[*json.SemanticError](err); wrongType {
		again := &chunk{} // without what the first pass left behind
		if json.Unmarshal(data, again, decodingNonFinite) == nil {
			return again, nil
		}
	}
	if err != nil {
		return nil, newMalformedError(payloadCompletion, err)
	}
	return out, nil
}

// ValidateChunk checks that a chunk of a streamed completion keeps what OpenAI's description promises
// to clients, like [Validate].
func ValidateChunk(c *openaiapi.CreateChatCompletionStreamResponse) error {
	return validator().Struct(c)
}
