package refusal

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// UnknownModel is the answer for a model that does not exist or does not have the method.
func UnknownModel(route received.Route) *Refusal {
	if route.Backend == models.VertexAI {
		return New(geminiapi.ErrorStatusNotFound,
			"Publisher Model `"+route.Resource+
				"` was not found or your project does not have access to it. "+
				"Please ensure you are using a valid model version. For more information, see: https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versions")
	}
	operation := route.Operation
	if operation == "streamGenerateContent" {
		operation = "generateContent"
	}
	return New(geminiapi.ErrorStatusNotFound,
		route.Resource+" is not found for API version "+route.Version+
			", or is not supported for "+operation+
			". Call ListModels to see the list of available models and their supported methods.")
}

// NotFound is the answer to any other resource that does not exist.
func NotFound() *Refusal {
	return New(geminiapi.ErrorStatusNotFound, "Requested entity was not found.")
}
