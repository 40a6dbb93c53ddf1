package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeResponse decodes a response. Members that it does not know are kept; null is what absent
// is, and a member of a wrong type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*openaiapi.Response, error) {
	return codec.Decode[openaiapi.Response](payloadResponse, data)
}

// EncodeResponse encodes a response as JSON: compact, equal bytes for equal responses, without HTML
// escapes, free-form values and unknown members as they came.
//
// It returns an *[wire.EncodeError] when r is nil, or holds a [jsontext.Value] that is not JSON or
// a string that is not UTF-8.
func EncodeResponse(r *openaiapi.Response) ([]byte,
	error) {
	return codec.Encode(payloadResponse, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *openaiapi.Response) ([]byte, error) {
	return codec.Append(payloadResponse, dst, r)
}

// EncodeItem encodes one item of a conversation, by the rules of [EncodeResponse] and with its
// errors.
func EncodeItem(item *openaiapi.ResponseItem) ([]byte,
	error) {
	return codec.Encode(payloadItem, item)
}

// DecodeItem decodes one item of a conversation, by the rules of [DecodeResponse] and with its
// errors.
func DecodeItem(data []byte) (*openaiapi.ResponseItem, error) {
	return codec.Decode[openaiapi.ResponseItem](payloadItem, data)
}

// EncodeCount encodes a number of input tokens, by the rules of [EncodeResponse] and with its
// errors.
func EncodeCount(count *openaiapi.CountInputTokensResponse) ([]byte, error) {
	return codec.Encode(payloadCount, count)
}

// EncodeDeleted encodes the answer to the deletion of a response, by the rules of [EncodeResponse]
// and with its errors.
func EncodeDeleted(deleted *openaiapi.DeletedResponse) ([]byte, error) {
	return codec.Encode(payloadDeleted, deleted)
}

// The payloads. They are never written to.
var (
	payloadResponse = codec.Payload{Wire: "responses", Name: "response", Strict: true}
	payloadEvent    = codec.Payload{Wire: "responses", Name: "event", Strict: true}
	payloadItem     = codec.Payload{Wire: "responses", Name: "item"}
	payloadRequest  = codec.Payload{Wire: "responses", Name: "request"}
	payloadCount    = codec.Payload{Wire: "responses", Name: "number of tokens", Strict: true}
	payloadDeleted  = codec.Payload{Wire: "responses", Name: "deleted response", Strict: true}

	payloadCountRequest = codec.Payload{Wire: "responses", Name: "request for a number of tokens"}
)
