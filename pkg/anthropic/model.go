package anthropic

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// DecodeModels decodes a page of models, like [DecodeResponse].
func DecodeModels(data []byte) (*anthropicapi.ListModelsResponse, error) {
	return codec.Decode[anthropicapi.ListModelsResponse](payloadModels, data)
}

// AppendModels appends a page of models as JSON to dst and returns the extended slice, like
// [AppendResponse].
func AppendModels(dst []byte, r *anthropicapi.ListModelsResponse) ([]byte, error) {
	return codec.Append(payloadModels, dst, r)
}

// DecodeModel decodes the description of a model, like [DecodeResponse].
func DecodeModel(data []byte) (*anthropicapi.Model, error) {
	return codec.Decode[anthropicapi.Model](payloadModel, data)
}

// AppendModel appends the description of a model as JSON to dst and returns the extended slice,
// like [AppendResponse].
func AppendModel(dst []byte, m *anthropicapi.Model) ([]byte, error) {
	return codec.Append(payloadModel, dst, m)
}
