package gemini

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
)

// EncodeResponse encodes a response as canonical JSON: compact, camelCase names, no HTML escapes,
// free-form values and unknown members as they came.
//
// It returns an *[wire.EncodeError] when r is nil or holds a [jsontext.Value] that is not JSON, or an
// unknown member by the name of a known one.
func EncodeResponse(r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return codec.Encode(payloadResponse, r)
}

// AppendResponse appends what [EncodeResponse] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendResponse(dst []byte, r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return codec.Append(payloadResponse, dst, r)
}

// WriteResponse writes what [EncodeResponse] returns in one call of w.Write, and nothing if r cannot
// be encoded. An error of w is returned wrapped.
func WriteResponse(w io.Writer, r *geminiapi.GenerateContentResponse) error {
	return codec.Write(payloadResponse, w, r)
}

// EncodeRequest encodes a request as canonical JSON, like [EncodeResponse].
func EncodeRequest(r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// AppendRequest appends what [EncodeRequest] returns to dst and returns the extended slice. After
// an error dst is returned as it was.
func AppendRequest(dst []byte, r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return codec.Append(payloadRequest, dst, r)
}

// WriteRequest writes what [EncodeRequest] returns, like [WriteResponse].
func WriteRequest(w io.Writer, r *geminiapi.GenerateContentRequest) error {
	return codec.Write(payloadRequest, w, r)
}

// EncodeCountTokensRequest encodes the body of a countTokens request, like [EncodeResponse].
func EncodeCountTokensRequest(r *geminiapi.CountTokensRequest) ([]byte, error) {
	return codec.Encode(payloadCountTokensRequest, r)
}

// EncodeCountTokensResponse encodes the body of a countTokens answer, like [EncodeResponse].
func EncodeCountTokensResponse(r *geminiapi.CountTokensResponse) ([]byte, error) {
	return codec.Encode(payloadCountTokensResponse, r)
}

// Encode encodes a payload of any other endpoint, like [EncodeResponse]: a *geminiapi.File for
// example. An *[wire.EncodeError] has the type's name as Payload.
func Encode[T any, P codec.Type[T]](v *T) ([]byte, error) {
	out, err := codec.Encode[T, P](codec.Payload{Wire: "gemini"}, v)
	if failed, ok := errors.AsType[*wire.EncodeError](err); ok {
		failed.Payload = typeName[T]()
	}
	return out, err
}
