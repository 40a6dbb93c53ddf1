package refusal

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// The services that details name.
const (
	geminiService = "generativelanguage.googleapis.com"
	vertexService = "aiplatform.googleapis.com"
)

// MissingKey is the answer of the Gemini API to a request without a key or token.
func MissingKey() *Refusal {
	return New(geminiapi.ErrorStatusPermissionDenied,
		"Method doesn't allow unregistered callers (callers without established identity). "+
			"Please use API Key or other form of API consumer identity to call this API.")
}

// InvalidKey is the answer to a key that does not exist or has expired. Its HTTP status is 400, not
// 401.
func InvalidKey() *Refusal {
	return New(geminiapi.ErrorStatusInvalidArgument,
		"API key not valid. Please pass a valid API key.").
		withReason("API_KEY_INVALID", map[string]string{"service": geminiService}).
		withLocalizedMessage()
}

// MissingCredentials is the answer of Vertex AI to a request without a token. The details name the
// operation and the version of the API.
func MissingCredentials(version, operation string) *Refusal {
	return New(geminiapi.ErrorStatusUnauthenticated,
		"Request is missing required authentication credential. Expected OAuth 2 access token, "+
			"login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.").
		withReason("CREDENTIALS_MISSING",
			map[string]string{"service": vertexService, "method": vertexMethod(version, operation)})
}

// KeyInPlaceOfToken is the answer of Vertex AI to an API key if it requires a token.
func KeyInPlaceOfToken(version, operation string) *Refusal {
	return New(geminiapi.ErrorStatusUnauthenticated,
		"API keys are not supported by this API. Expected OAuth2 access token or other "+
			"authentication credentials that assert a principal. See https://cloud.google.com/docs/authentication").
		withReason("CREDENTIALS_MISSING",
			map[string]string{"service": vertexService, "method": vertexMethod(version, operation)})
}

// vertexMethod returns the name of a Vertex AI method in details, for example
// google.cloud.aiplatform.v1beta1.PredictionService.GenerateContent.
func vertexMethod(version, operation string) string {
	if operation != "" {
		operation = strings.ToUpper(operation[:1]) + operation[1:]
	}
	return "google.cloud.aiplatform." + version + ".PredictionService." + operation
}
