package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

func toNormalized(r *geminiapi.GenerateContentResponse, _ settings) (*normalize.Response, transform.Report, error) {
	response, err := normalizeResponse(r)
	if err != nil {
		return nil, nil, err
	}
	return response, response.Report(), nil
}

// normalizeResponse normalises a response. A call that came without an id gets the one that it also
// gets in a chat completion, not one at random: equal inputs give equal outputs. If the prompt was
// refused, its feedback is in a response that has no candidates.
func normalizeResponse(r *geminiapi.GenerateContentResponse) (*normalize.Response, error) {
	response, err := normalize.FromResponse(r, normalize.WithToolCallIDs(toolCallID))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		return blocked.Response, nil
	}
	return response, err
}

func toolCallID(responseID string, candidate, part int) string {
	if responseID != "" {
		responseID += "-"
	}
	return fmt.Sprintf("gemini-call-%s%d-%d", responseID, candidate, part)
}

// checkGeminiResponse accepts an error of the API.
func checkGeminiResponse(in io.Reader) error {
	err := document(decodeGeminiResponse, validateMeaning)(in, target{})
	if _, ok := errors.AsType[*replyError](err); ok {
		return nil
	}
	return err
}

// validateMeaning checks the normalised form of a response.
func validateMeaning(r *geminiapi.GenerateContentResponse) error {
	response, err := normalizeResponse(r)
	if err != nil {
		return err
	}
	return normalize.Validate(response)
}
