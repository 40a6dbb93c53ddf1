package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeResponse decodes the body of a generateContent answer, or one chunk of a stream. It is
// lenient, as the package comment describes.
//
// It returns a *[wire.MalformedError] if data is not a response: not JSON, not an object, or with a
// member of an unusable type. Without candidates, a null blockReason decodes as an empty one,
// because its presence says that the prompt was refused. The result shares no memory with data.
func DecodeResponse(data []byte) (*geminiapi.GenerateContentResponse, error) {
	r, err := codec.Decode[geminiapi.GenerateContentResponse](payloadResponse, data)
	if err != nil {
		return nil, err
	}
	fillBlockReason(data, r)
	return r, nil
}

// ReadResponse reads r to its end and decodes the bytes like [DecodeResponse]. It wraps an error of
// r itself. If you already have the bytes, DecodeResponse avoids a copy.
func ReadResponse(r io.Reader) (*geminiapi.GenerateContentResponse, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("gemini: response: %w", err)
	}
	return DecodeResponse(data)
}

// DecodeRequest decodes the body of a generateContent or streamGenerateContent request, in any
// spelling that Google's servers accept. It returns the same errors as [DecodeResponse].
func DecodeRequest(data []byte) (*geminiapi.GenerateContentRequest, error) {
	return codec.Decode[geminiapi.GenerateContentRequest](payloadRequest, data)
}

// ReadRequest reads r to its end and decodes the bytes like [DecodeRequest].
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

// Decode decodes a payload of any other endpoint. The type of the payload is a parameter:
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

// The payloads. They are never modified.
var (
	payloadRequest             = codec.Payload{Wire: "gemini", Name: "request"}
	payloadResponse            = codec.Payload{Wire: "gemini", Name: "response"}
	payloadCountTokensRequest  = codec.Payload{Wire: "gemini", Name: "countTokens request"}
	payloadCountTokensResponse = codec.Payload{Wire: "gemini", Name: "countTokens response"}
)

// DecodeForgiving decodes the body of an answer, or one chunk of a stream, like [DecodeResponse],
// but ignores more errors. It treats a member with an unusable type as absent and adds the JSON
// pointer to ignored. Input that is not a JSON object is an error. So is a text or a function name
// that is not a string, because ignoring it would falsify the answer.
//
// Every [StreamReader] decodes this way and reports the ignored members.
func DecodeForgiving(data []byte) (r *geminiapi.GenerateContentResponse, ignored []string,
	err error) {
	data = jsonx.ReplaceHalfPairs(data)
	return codec.Forgive("gemini", data, DecodeResponse,
		func(at jsontext.Pointer, _ jsontext.Value) (jsontext.Value, bool) {
			return nil, !fatalTypes[memberPath(at)]
		})
}

// fatalTypes are the members, by [memberPath], for which a wrong type is an error.
var fatalTypes = map[string]bool{
	"candidates/content/parts/text":              true,
	"candidates/content/parts/functioncall/name": true,
}

// memberPath returns a pointer without list indexes, whose names ignore letter case and separators.
func memberPath(pointer jsontext.Pointer) string {
	var names []string
	for token := range pointer.Tokens() {
		if !codec.IsPosition(token) {
			names = append(names, foldName(token))
		}
	}
	return strings.Join(names, "/")
}

// fillBlockReason replaces a null reason in the prompt's feedback with an empty one, in any
// spelling of the names. Its presence says that the prompt was refused, as in the origin of package
// normalize. With candidates it does not.
func fillBlockReason(data []byte, r *geminiapi.GenerateContentResponse) {
	if r.PromptFeedback == nil || r.PromptFeedback.BlockReason != nil || len(r.Candidates) > 0 {
		return
	}
	if !bytes.Contains(data, []byte("null")) {
		return
	}
	for name, feedback := range jsonx.Members(data) {
		if foldName(name) != "promptfeedback" {
			continue
		}
		for name := range jsonx.Members(feedback) {
			if foldName(name) == "blockreason" { // other values would be set
				r.PromptFeedback.BlockReason = new(geminiapi.BlockReason(""))
			}
		}
	}
}

// foldName returns a name in lower case without separators. The codec ignores both too.
func foldName(name string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
}

// EncodeResponse encodes a response as canonical JSON: compact, camelCase names, no HTML escapes.
// Free-form values and unknown members stay as they were received.
//
// It returns an *[wire.EncodeError] if r is nil, if a [jsontext.Value] in r is not JSON, or if an
// unknown member has the name of a known one.
func EncodeResponse(r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return codec.Encode(payloadResponse, r)
}

// AppendResponse appends the encoding of [EncodeResponse] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendResponse(dst []byte, r *geminiapi.GenerateContentResponse) ([]byte, error) {
	return codec.Append(payloadResponse, dst, r)
}

// WriteResponse writes the encoding of [EncodeResponse] in one call of w.Write. If r cannot be
// encoded, it writes nothing. It wraps an error of w.
func WriteResponse(w io.Writer, r *geminiapi.GenerateContentResponse) error {
	return codec.Write(payloadResponse, w, r)
}

// EncodeRequest encodes a request as canonical JSON, like [EncodeResponse].
func EncodeRequest(r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return codec.Encode(payloadRequest, r)
}

// AppendRequest appends the encoding of [EncodeRequest] to dst and returns the extended slice.
// After an error it returns dst unchanged.
func AppendRequest(dst []byte, r *geminiapi.GenerateContentRequest) ([]byte, error) {
	return codec.Append(payloadRequest, dst, r)
}

// WriteRequest writes the encoding of [EncodeRequest], like [WriteResponse].
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

// Encode encodes a payload of any other endpoint, such as a *geminiapi.File, like [EncodeResponse].
// A *[wire.EncodeError] has the type's name as Payload.
func Encode[T any, P codec.Type[T]](v *T) ([]byte, error) {
	out, err := codec.Encode[T, P](codec.Payload{Wire: "gemini"}, v)
	if failed, ok := errors.AsType[*wire.EncodeError](err); ok {
		failed.Payload = typeName[T]()
	}
	return out, err
}
