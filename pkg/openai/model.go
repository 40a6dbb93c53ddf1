package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeModels decodes a list of models, like [DecodeResponse].
func DecodeModels(data []byte) (*openaiapi.ListModelsResponse, error) {
	return codec.Decode[openaiapi.ListModelsResponse](payloadModels, data)
}

// AppendModels appends a list of models as JSON to dst and returns the extended slice, like
// [AppendResponse].
func AppendModels(dst []byte, r *openaiapi.ListModelsResponse) ([]byte, error) {
	return codec.Append(payloadModels, dst, r)
}

// DecodeModel decodes the description of a model, like [DecodeResponse].
func DecodeModel(data []byte) (*openaiapi.Model, error) {
	return codec.Decode[openaiapi.Model](payloadModel, data)
}

// AppendModel appends the description of a model as JSON to dst and returns the extended slice,
// like [AppendResponse].
func AppendModel(dst []byte, m *openaiapi.Model) ([]byte, error) {
	return codec.Append(payloadModel, dst, m)
}
