package cli

import (
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// geminiResponseToNormalized writes a refused prompt too: its feedback is in the response, which has
// no candidates.
func geminiResponseToNormalized(data []byte, _ settings) ([]byte, transform.Report, error) {
	response, err := normalizeResponse(data)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if err != nil {
		return nil, nil, err
	}
	document, err := normalize.Encode(response)
	return document, normalizeReport(response), err
}

// normalizeResponse decodes and normalises a response. A call that came without an id gets the one
// that it also gets in a chat completion, not one at random: equal inputs give equal outputs.
func normalizeResponse(data []byte) (*normalize.Response, error) {
	response, err := decodeGeminiResponse(data)
	if err != nil {
		return nil, err
	}
	return normalize.FromResponse(response, normalize.WithToolCallIDs(toolCallID))
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
					"made of the call's place, as the model sent none")
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

func normalizedToItself(data []byte, _ settings) ([]byte, transform.Report, error) {
	response, err := normalize.Decode(data)
	if err != nil {
		return nil, nil, err
	}
	document, err := normalize.Encode(response)
	return document, nil, err
}

func checkGeminiResponse(data []byte) error {
	response, err := normalizeResponse(data)
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if _, ok := errors.AsType[*gemini.Error](err); ok {
		return nil // an error of the API is a valid answer
	}
	if err != nil {
		return err
	}
	return normalize.Validate(response)
}

func checkNormalized(data []byte) error {
	response, err := normalize.Decode(data)
	if err != nil {
		return err
	}
	return normalize.Validate(response)
}
