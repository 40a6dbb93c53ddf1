package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
	openairequest "github.com/gemwire/gemwire/pkg/transform/openai/request"
)

func geminiResponseToOpenAI(data []byte, s settings) ([]byte, transform.Report, error) {
	response, err := decodeGeminiResponse(data)
	if err != nil {
		return nil, nil, err
	}
	return responseToOpenAI(response, s)
}

func responseToOpenAI(r *geminiapi.GenerateContentResponse, s settings) ([]byte, transform.Report, error) {
	completion, report, err := toopenai.FromGemini(r, openaiOptions(s)...)
	if err != nil {
		return nil, nil, err
	}
	document, err := openai.EncodeResponse(completion)
	return document, report, err
}

func normalizedToOpenAI(data []byte, s settings) ([]byte, transform.Report, error) {
	response, err := normalize.Decode(data)
	if err != nil {
		return nil, nil, err
	}
	completion, report, err := toopenai.FromNormalized(response, openaiOptions(s)...)
	if err != nil {
		return nil, nil, err
	}
	document, err := openai.EncodeResponse(completion)
	return document, report, err
}

func openaiOptions(s settings) []toopenai.Option {
	opts := []toopenai.Option{toopenai.WithModel(s.model), toopenai.WithID(s.id)}
	if s.created != nil {
		opts = append(opts, toopenai.WithCreated(*s.created))
	}
	if s.withoutExtensions {
		opts = append(opts, toopenai.WithoutExtensions())
	}
	return opts
}

func openaiResponseToItself(data []byte, _ settings) ([]byte, transform.Report, error) {
	completion, err := openai.DecodeResponse(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := openai.EncodeResponse(completion)
	return document, nil, err
}

func openaiRequestToItself(data []byte, _ settings) ([]byte, transform.Report, error) {
	request, err := openai.DecodeRequest(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := openai.EncodeRequest(request)
	return document, nil, err
}

func openaiRequestToGemini(data []byte, s settings) ([]byte, transform.Report, error) {
	in, err := openai.DecodeRequest(data)
	if err != nil {
		return nil, nil, err
	}
	opts := []openairequest.Option{openairequest.ForModel(s.model)}
	if s.vertex {
		opts = append(opts, openairequest.ForVertexAI())
	}
	out, report, err := openairequest.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	document, err := gemini.EncodeRequest(out)
	return document, report, err
}

func checkOpenAIRequest(data []byte) error {
	request, err := openai.DecodeRequest(data)
	if err != nil {
		return err
	}
	return openai.ValidateRequest(request)
}

func checkOpenAIResponse(data []byte) error {
	completion, err := openai.DecodeResponse(data)
	if err != nil {
		return err
	}
	return openai.ValidateResponse(completion)
}
