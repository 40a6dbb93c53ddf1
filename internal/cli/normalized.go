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
	return response, normalizeReport(response), nil
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

// normalizeReport says what normalising did that the output alone does not tell apart from the
// input.
func normalizeReport(r *normalize.Response) transform.Report {
	var report transform.Report
	for _, pointer := range r.Ignored {
		report.Add(transform.Approximated, pointer, "of a type that has no meaning there, treated as absent")
	}
	for i := range r.Candidates {
		c, at := &r.Candidates[i], fmt.Sprintf("/candidates/%d", i)
		for j := range c.Blocks {
			if call := c.Blocks[j].ToolCall; call != nil && call.MadeID {
				report.Add(transform.Added, fmt.Sprintf("%s/content/parts/%d/functionCall/id", at, c.Blocks[j].Part),
					detailMadeID)
			}
		}
		for j := range c.Citations {
			if c.Citations[j].Approximated {
				report.Add(transform.Approximated, at+"/citationMetadata", "offsets moved to whole characters of the text")
			}
		}
		if c.Grounding == nil {
			continue
		}
		for j := range c.Grounding.Supports {
			if c.Grounding.Supports[j].Approximated {
				report.Add(transform.Approximated, fmt.Sprintf("%s/groundingMetadata/groundingSupports/%d/segment", at, j),
					"offsets moved to the nearest place where the segment's text stands")
			}
		}
	}
	return report
}

const detailMadeID = "made of the call's place, as the model sent none"

// checkGeminiResponse accepts an error of the API.
func checkGeminiResponse(in io.Reader) error {
	data, err := readDocument(in)
	if err != nil {
		return err
	}
	wire, err := decodeGeminiResponse(data)
	if _, ok := errors.AsType[*replyError](err); ok {
		return nil
	}
	if err != nil {
		return err
	}
	response, err := normalizeResponse(wire)
	if err != nil {
		return err
	}
	return normalize.Validate(response)
}
