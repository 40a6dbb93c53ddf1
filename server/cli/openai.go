package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
	openairequest "github.com/gemwire/gemwire/pkg/transform/openai/request"
)

func toCompletion(r *geminiapi.GenerateContentResponse, s settings) (*openaiapi.CreateChatCompletionResponse, transform.Report, error) {
	return toopenai.FromGemini(r, openaiOptions(s)...)
}

func normalizedToCompletion(r *normalize.Response, s settings) (*openaiapi.CreateChatCompletionResponse, transform.Report, error) {
	return toopenai.FromNormalized(r, openaiOptions(s)...)
}

func openaiOptions(s settings) []toopenai.Option {
	opts := []toopenai.Option{toopenai.WithModelName(s.model), toopenai.WithID(s.id)}
	if s.created != nil {
		opts = append(opts, toopenai.WithCreated(*s.created))
	}
	if s.withoutExtensions {
		opts = append(opts, toopenai.WithoutExtensions())
	}
	return opts
}

func toGeminiRequest(r *openaiapi.CreateChatCompletionRequest, s settings) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	opts := []openairequest.Option{openairequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, openairequest.ForVertexAI())
	}
	return openairequest.ToGemini(r, opts...)
}
