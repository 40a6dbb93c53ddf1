package cli

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
)

func geminiResponseToItself(data []byte, _ settings) ([]byte, transform.Report, error) {
	response, err := gemini.DecodeResponse(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := gemini.EncodeResponse(response)
	return document, nil, err
}

// decodeGeminiResponse decodes a response that is to be understood. The endpoint of streams answers
// with a list when it fails; the error in it says more than that there should be no list.
func decodeGeminiResponse(data []byte) (*geminiapi.GenerateContentResponse, error) {
	response, err := gemini.DecodeResponse(data)
	if err != nil {
		if reply := gemini.DecodeError(0, nil, data); reply.FromAPI() {
			return nil, reply
		}
	}
	return response, err
}

func geminiRequestToItself(data []byte, _ settings) ([]byte, transform.Report, error) {
	request, err := gemini.DecodeRequest(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := gemini.EncodeRequest(request)
	return document, nil, err
}

func checkGeminiRequest(data []byte, to target) error {
	request, err := gemini.DecodeRequest(data)
	if err != nil {
		return err
	}
	backend := gemini.ForGeminiAPI()
	if to.vertex {
		backend = gemini.ForVertexAI()
	}
	return gemini.ValidateRequest(request, gemini.ForModel(to.model), backend)
}
