package openai

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
)

// EncodeResponse encodes a completion as JSON: compact, equal bytes for equal completions, without
// HTML escapes, free-form values and unknown members as they came. The result is allocated once, and
// media is copied once, straight to where it belongs.
//
// It returns an *[EncodeError] when r is nil, or holds a [jsontext.Value] that is not JSON or a
// string that is not UTF-8.
func EncodeResponse(r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	return AppendResponse(nil, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *openaiapi.CreateChatCompletionResponse) ([]byte, error) {
	if r == nil {
		return dst, newEncodeError(payloadCompletion, errNothing)
	}
	return appendPayload(dst, payloadCompletion, r)
}

// plainAppender is a payload with a generated codec, which passes on what is not plain.
type plainAppender interface {
	AppendPlainJSON(dst []byte) ([]byte, bool)
}

// appendPayload appends the JSON of a payload, which is not nil. The name is that of its errors.
func appendPayload(dst []byte, name string, payload plainAppender) ([]byte, error) {
	if out, ok := payload.AppendPlainJSON(dst); ok {
		return out, nil
	}
	out := bytes.NewBuffer(dst)
	if err := json.MarshalWrite(out, payload, wirejson.Canonical); err != nil {
		return dst, newEncodeError(name, err)
	}
	return out.Bytes(), nil
}
