package gemini

import (
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
)

// DecodeResponse decodes the body of a generateContent answer, or one chunk of a stream. It reads
// leniently; the package comment says what that means.
//
// It returns a *[MalformedError] when data is not a response: not JSON, not an object, or with a
// member of a type that cannot be understood. The result shares no memory with data.
func DecodeResponse(data []byte) (*geminiapi.GenerateContentResponse, error) {
	return wire.Decode[geminiapi.GenerateContentResponse](payloadResponse, data)
}

// ReadResponse reads r to its end and decodes what it held like [DecodeResponse]. An error of r
// itself is returned wrapped. When the bytes are at hand already, DecodeResponse spares a copy.
func ReadResponse(r io.Reader) (*geminiapi.GenerateContentResponse, error) {
	return wire.Read[geminiapi.GenerateContentResponse](payloadResponse, r)
}

// DecodeRequest decodes the body of a generateContent or streamGenerateContent request, in any of
// the spellings that Google's servers accept. Errors are those of [DecodeResponse].
func DecodeRequest(data []byte) (*geminiapi.GenerateContentRequest, error) {
	return wire.Decode[geminiapi.GenerateContentRequest](payloadRequest, data)
}

// ReadRequest reads r to its end and decodes what it held like [DecodeRequest].
func ReadRequest(r io.Reader) (*geminiapi.GenerateContentRequest, error) {
	return wire.Read[geminiapi.GenerateContentRequest](payloadRequest, r)
}

// DecodeCountTokensRequest decodes the body of a countTokens request, in the form of the Gemini API
// or of Vertex AI.
func DecodeCountTokensRequest(data []byte) (*geminiapi.CountTokensRequest, error) {
	return wire.Decode[geminiapi.CountTokensRequest](payloadCountTokensRequest, data)
}

// DecodeCountTokensResponse decodes the body of a countTokens answer.
func DecodeCountTokensResponse(data []byte) (*geminiapi.CountTokensResponse, error) {
	return wire.Decode[geminiapi.CountTokensResponse](payloadCountTokensResponse, data)
}

// DecodeModelList decodes one page of the list of models.
func DecodeModelList(data []byte) (*geminiapi.ListModelsResponse, error) {
	return wire.Decode[geminiapi.ListModelsResponse](payloadModelList, data)
}

// DecodeModel decodes the description of one model.
func DecodeModel(data []byte) (*geminiapi.Model, error) {
	return wire.Decode[geminiapi.Model](payloadModel, data)
}

// The payloads. They are never written to.
var (
	payloadRequest             = wire.Payload{Wire: "gemini", Name: "request"}
	payloadResponse            = wire.Payload{Wire: "gemini", Name: "response"}
	payloadCountTokensRequest  = wire.Payload{Wire: "gemini", Name: "countTokens request"}
	payloadCountTokensResponse = wire.Payload{Wire: "gemini", Name: "countTokens response"}
	payloadModelList           = wire.Payload{Wire: "gemini", Name: "model list"}
	payloadModel               = wire.Payload{Wire: "gemini", Name: "model"}
)

// MalformedError reports why bytes are not the payload that they were decoded as, and where. It is the same
// type for every wire.
type MalformedError = wire.MalformedError

// EncodeError reports why a payload cannot be written as JSON. It is the same type for every wire.
type EncodeError = wire.EncodeError
