package openai

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/go-json-experiment/json"
)

// EncodeRequest encodes the request for a completion as JSON, as [EncodeResponse] does a completion.
func EncodeRequest(r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	return AppendRequest(nil, r)
}

// AppendRequest appends what [EncodeRequest] returns to dst and returns the extended slice. After an
// error dst is returned as it was.
func AppendRequest(dst []byte, r *openaiapi.CreateChatCompletionRequest) ([]byte, error) {
	if r == nil {
		return dst, newEncodeError(payloadRequest, errNothing)
	}
	if out, ok := r.AppendPlainJSON(dst); ok {
		return out, nil
	}
	out := bytes.NewBuffer(dst)
	err := json.MarshalWrite(out, r, encoding)
	if err != nil {
		out = bytes.NewBuffer(dst)
		err = json.MarshalWrite(out, r, encodingNonFinite)
	}
	if err != nil {
		return dst, newEncodeError(payloadRequest, err)
	}
	return out.Bytes(), nil
}
