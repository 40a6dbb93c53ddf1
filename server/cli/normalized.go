package cli

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/validation"
)

func toNormalized(r *geminiapi.GenerateContentResponse, _ settings) (*normalize.Response,
	report.Report, error) {
	response, err := normalizeResponse(r)
	if err != nil {
		return nil, nil, err
	}
	return response, response.Report(), nil
}

// normalizeResponse normalises a response. A call without an id gets the same id as in a chat
// completion, not a random one, so equal inputs give equal outputs. If the prompt was refused, the
// result is a response with its feedback and without candidates.
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
func checkGeminiResponse(data []byte) []validation.Violation {
	if response, err := gemini.DecodeResponse(data); err == nil && gemini.IsError(response) &&
		len(response.Candidates) == 0 && response.UsageMetadata == nil {
		return nil // an error by itself, as the API sends it
	}
	return gemini.CheckResponse(data)
}

// validateAnswer checks a normalised response, and that it contains an answer or a refusal, because
// any JSON object decodes as a response. Candidates without content occur, and candidates with
// unknown members occur, but none with both.
func validateAnswer(r *normalize.Response) error {
	var found []validation.Violation
	if len(r.Candidates) == 0 && r.Blocked() == nil {
		found = append(found,
			validation.Violation{Pointer: "/candidates", Rule: "required",
				Want: "must contain an answer, because there is no block reason"})
	}
	for i := range r.Candidates {
		if c := &r.Candidates[i]; len(c.Blocks) == 0 && c.Role == "" && c.Extra != nil &&
			len(c.Extra.Unknown) > 0 {
			found = append(found,
				validation.Violation{Pointer: "/candidates" + position(i), Rule: "content",
					Want: "must have content; it has only unknown members"})
		}
	}
	if found != nil {
		return &validation.Error{Prefix: "normalize", Violations: found}
	}
	return normalize.Validate(r)
}
