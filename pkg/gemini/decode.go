package gemini

import (
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// DecodeResponse decodes the body of a generateContent answer, or one chunk of a stream. It reads
// leniently; the package comment says what that means.
//
// It returns a *[MalformedError] when data is not a response: not JSON, not an object, or with a
// member of a type that cannot be understood. The result shares no memory with data.
func DecodeResponse(data []byte) (*geminiapi.GenerateContentResponse, error) {
	return decode[geminiapi.GenerateContentResponse](payloadResponse, data)
}

// ReadResponse reads r to its end and decodes what it held like [DecodeResponse]. An error of r
// itself is returned wrapped. When the bytes are at hand already, DecodeResponse spares a copy.
func ReadResponse(r io.Reader) (*geminiapi.GenerateContentResponse, error) {
	return read[geminiapi.GenerateContentResponse](payloadResponse, r)
}

// DecodeRequest decodes the body of a generateContent or streamGenerateContent request, in any of
// the spellings that Google's servers accept. Errors are those of [DecodeResponse].
func DecodeRequest(data []byte) (*geminiapi.GenerateContentRequest, error) {
	return decode[geminiapi.GenerateContentRequest](payloadRequest, data)
}

// ReadRequest reads r to its end and decodes what it held like [DecodeRequest].
func ReadRequest(r io.Reader) (*geminiapi.GenerateContentRequest, error) {
	return read[geminiapi.GenerateContentRequest](payloadRequest, r)
}

// DecodeCountTokensRequest decodes the body of a countTokens request, in the form of the Gemini API
// or of Vertex AI.
func DecodeCountTokensRequest(data []byte) (*geminiapi.CountTokensRequest, error) {
	return decode[geminiapi.CountTokensRequest](payloadCountTokensRequest, data)
}

// DecodeCountTokensResponse decodes the body of a countTokens answer.
func DecodeCountTokensResponse(data []byte) (*geminiapi.CountTokensResponse, error) {
	return decode[geminiapi.CountTokensResponse](payloadCountTokensResponse, data)
}

// DecodeModelList decodes one page of the list of models.
func DecodeModelList(data []byte) (*geminiapi.ListModelsResponse, error) {
	return decode[geminiapi.ListModelsResponse](payloadModelList, data)
}

// DecodeModel decodes the description of one model.
func DecodeModel(data []byte) (*geminiapi.Model, error) {
	return decode[geminiapi.Model](payloadModel, data)
}

// What errors call the payloads.
const (
	payloadRequest             = "request"
	payloadResponse            = "response"
	payloadCountTokensRequest  = "countTokens request"
	payloadCountTokensResponse = "countTokens response"
	payloadModelList           = "model list"
	payloadModel               = "model"
)

// wireType is a payload with a generated codec, which is quick, but knows plain JSON only.
type wireType[T any] interface {
	*T
	ReadPlainJSON(data []byte) bool
	ReadAnyJSON(data []byte) error
	AppendPlainJSON(dst []byte) ([]byte, bool)
}

func read[T any, P wireType[T]](payload string, r io.Reader) (*T, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("gemini: %s: %w", payload, err)
	}
	return decode[T, P](payload, data)
}

// decode tries the generated codec first, which reads nearly all that Google's servers send.
func decode[T any, P wireType[T]](payload string, data []byte) (*T, error) {
	if out := new(T); P(out).ReadPlainJSON(data) {
		return out, nil
	}
	return decodeAnyForm[T, P](payload, data)
}

// decodeAnyForm decodes whatever the package comment promises, and says what is wrong with the rest.
func decodeAnyForm[T any, P wireType[T]](payload string, data []byte) (*T, error) {
	if err := checkRoot(payload, data); err != nil {
		return nil, err
	}
	out := new(T)
	if err := P(out).ReadAnyJSON(data); err != nil {
		return nil, newMalformedError(payload, data, err)
	}
	return out, nil
}
