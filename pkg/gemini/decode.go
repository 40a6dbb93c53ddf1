package gemini

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
)

// DecodeResponse decodes the body of a generateContent answer, or one chunk of a stream. It reads
// leniently; the package comment says what that means.
//
// It returns a *[wire.MalformedError] when data is not a response: not JSON, not an object, or with a
// member of a type that cannot be understood. A blockReason that is null is an empty one where no
// candidate is: that it is there says that the prompt was refused. The result shares no memory with data.
func DecodeResponse(data []byte) (*geminiapi.GenerateContentResponse, error) {
	r, err := codec.Decode[geminiapi.GenerateContentResponse](payloadResponse, data)
	if err != nil {
		return nil, err
	}
	fillBlockReason(data, r)
	return r, nil
}

// ReadResponse reads r to its end and decodes what it held like [DecodeResponse]. An error of r
// itself is returned wrapped. When the bytes are at hand already, DecodeResponse spares a copy.
func ReadResponse(r io.Reader) (*geminiapi.GenerateContentResponse, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("gemini: response: %w", err)
	}
	return DecodeResponse(data)
}

// DecodeRequest decodes the body of a generateContent or streamGenerateContent request, in any of
// the spellings that Google's servers accept. Errors are those of [DecodeResponse].
func DecodeRequest(data []byte) (*geminiapi.GenerateContentRequest, error) {
	return codec.Decode[geminiapi.GenerateContentRequest](payloadRequest, data)
}

// ReadRequest reads r to its end and decodes what it held like [DecodeRequest].
func ReadRequest(r io.Reader) (*geminiapi.GenerateContentRequest, error) {
	return codec.Read[geminiapi.GenerateContentRequest](payloadRequest, r)
}

// DecodeCountTokensRequest decodes the body of a countTokens request, in the form of the Gemini API
// or of Vertex AI.
func DecodeCountTokensRequest(data []byte) (*geminiapi.CountTokensRequest, error) {
	return codec.Decode[geminiapi.CountTokensRequest](payloadCountTokensRequest, data)
}

// DecodeCountTokensResponse decodes the body of a countTokens answer.
func DecodeCountTokensResponse(data []byte) (*geminiapi.CountTokensResponse, error) {
	return codec.Decode[geminiapi.CountTokensResponse](payloadCountTokensResponse, data)
}

// Decode decodes a payload of any other endpoint: its type is a parameter, for example
//
//	file, err := gemini.Decode[geminiapi.File](data)
//
// It reads like [DecodeResponse]. A *[wire.MalformedError] has the type's name as Payload.
func Decode[T any, P codec.Type[T]](data []byte) (*T, error) {
	out, err := codec.Decode[T, P](codec.Payload{Wire: "gemini"}, data)
	if malformed, ok := errors.AsType[*wire.MalformedError](err); ok {
		malformed.Payload = typeName[T]()
	}
	return out, err
}

// typeName returns the name of a type of gen/geminiapi, for example "CachedContent".
func typeName[T any]() string {
	return strings.TrimPrefix(fmt.Sprintf("%T", (*T)(nil)), "*geminiapi.")
}

// The payloads. They are never written to.
var (
	payloadRequest             = codec.Payload{Wire: "gemini", Name: "request"}
	payloadResponse            = codec.Payload{Wire: "gemini", Name: "response"}
	payloadCountTokensRequest  = codec.Payload{Wire: "gemini", Name: "countTokens request"}
	payloadCountTokensResponse = codec.Payload{Wire: "gemini", Name: "countTokens response"}
)
