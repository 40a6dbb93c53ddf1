package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	openairequest "github.com/gemwire/gemwire/pkg/transform/chat/request"
)

func toCompletion(r *geminiapi.GenerateContentResponse, s settings) (*openaiapi.CreateChatCompletionResponse, report.Report, error) {
	return chat.FromGemini(r, openaiOptions(s)...)
}

func normalizedToCompletion(r *normalize.Response, s settings) (*openaiapi.CreateChatCompletionResponse, report.Report, error) {
	return chat.FromNormalized(r, openaiOptions(s)...)
}

func openaiOptions(s settings) []chat.Option {
	opts := []chat.Option{chat.WithModelName(s.model), chat.WithID(s.id)}
	if s.created != nil {
		opts = append(opts, chat.WithCreated(*s.created))
	}
	if s.withoutExtensions {
		opts = append(opts, chat.WithoutExtensions())
	}
	return opts
}

func toGeminiRequest(r *openaiapi.CreateChatCompletionRequest, s settings) (*geminiapi.GenerateContentRequest, report.Report, error) {
	opts := []openairequest.Option{openairequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, openairequest.ForVertexAI())
	}
	return openairequest.ToGemini(r, opts...)
}
