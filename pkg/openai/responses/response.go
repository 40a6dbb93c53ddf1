package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeResponse decodes a response. It keeps unknown members and treats null as absent. A member
// of a wrong type is an error. It does not validate; see [ValidateResponse].
//
// The error is a *[wire.MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*openaiapi.Response, error) {
	return codec.Decode[openaiapi.Response](payloadResponse, data)
}

// EncodeResponse encodes a response as JSON: compact, equal bytes for equal responses, without HTML
// escapes. Free-form values and unknown members stay as they were received.
//
// It returns an *[wire.EncodeError] if r is nil, if a [jsontext.Value] in r is not JSON, or if a
// string is not UTF-8.
func EncodeResponse(r *openaiapi.Response) ([]byte,
	error) {
	return codec.Encode(payloadResponse, r)
}

// AppendResponse appends the encoding of [EncodeResponse] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendResponse(dst []byte, r *openaiapi.Response) ([]byte, error) {
	return codec.Append(payloadResponse, dst, r)
}

// EncodeItem encodes one item of a conversation, by the rules of [EncodeResponse] and with the same
// errors.
func EncodeItem(item *openaiapi.ResponseItem) ([]byte,
	error) {
	return codec.Encode(payloadItem, item)
}

// DecodeItem decodes one item of a conversation, by the rules of [DecodeResponse] and with the same
// errors.
func DecodeItem(data []byte) (*openaiapi.ResponseItem, error) {
	return codec.Decode[openaiapi.ResponseItem](payloadItem, data)
}

// EncodeCount encodes a number of input tokens, by the rules of [EncodeResponse] and with the same
// errors.
func EncodeCount(count *openaiapi.CountInputTokensResponse) ([]byte, error) {
	return codec.Encode(payloadCount, count)
}

// EncodeDeleted encodes the answer to the deletion of a response, by the rules of [EncodeResponse]
// and with the same errors.
func EncodeDeleted(deleted *openaiapi.DeletedResponse) ([]byte, error) {
	return codec.Encode(payloadDeleted, deleted)
}

// The payloads. They are never modified.
var (
	payloadResponse = codec.Payload{Wire: "responses", Name: "response", Strict: true}
	payloadEvent    = codec.Payload{Wire: "responses", Name: "event", Strict: true}
	payloadItem     = codec.Payload{Wire: "responses", Name: "item"}
	payloadRequest  = codec.Payload{Wire: "responses", Name: "request"}
	payloadCount    = codec.Payload{Wire: "responses", Name: "token count", Strict: true}
	payloadDeleted  = codec.Payload{Wire: "responses", Name: "deleted response", Strict: true}

	payloadCountRequest = codec.Payload{Wire: "responses", Name: "token count request"}
)
