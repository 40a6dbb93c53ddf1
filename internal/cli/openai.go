package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func geminiResponseToOpenAI(data []byte, s settings) ([]byte, transform.Report, error) {
	response, err := decodeGeminiResponse(data)
	if err != nil {
		return nil, nil, err
	}
	return responseToOpenAI(response, s)
}

func responseToOpenAI(r *geminiapi.GenerateContentResponse, s settings) ([]byte, transform.Report, error) {
	completion, report, err := openai.Response(r, openaiOptions(s)...)
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
	completion, report, err := openai.FromNormalized(response, openaiOptions(s)...)
	if err != nil {
		return nil, nil, err
	}
	document, err := openai.EncodeResponse(completion)
	return document, report, err
}

func openaiOptions(s settings) []openai.Option {
	opts := []openai.Option{openai.WithModel(s.model), openai.WithID(s.id)}
	if s.created != nil {
		opts = append(opts, openai.WithCreated(*s.created))
	}
	if s.withoutExtensions {
		opts = append(opts, openai.WithoutExtensions())
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
	request, err := decodeOpenAIRequest(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := json.Marshal(request, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	return document, nil, err
}

func decodeOpenAIRequest(data []byte) (*openaiapi.CreateChatCompletionRequest, error) {
	if jsontext.Value(data).Kind() == jsontext.KindNull { // an empty request to the library
		return nil, &json.SemanticError{JSONKind: jsontext.KindNull}
	}
	request := &openaiapi.CreateChatCompletionRequest{}
	return request, json.Unmarshal(data, request)
}

func checkOpenAIRequest(data []byte) error {
	_, err := decodeOpenAIRequest(data)
	return err
}

func checkOpenAIResponse(data []byte) error {
	completion, err := openai.DecodeResponse(data)
	if err != nil {
		return err
	}
	return openai.Validate(completion)
}
