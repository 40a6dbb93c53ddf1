package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/pkg/structured"
	"github.com/go-json-experiment/json/jsontext"
)

// ParsePriorityResponse reads the answer of a model: JSON by itself, in a fence of Markdown, or
// among prose. A list that is missing is nil. Ids are taken as they are, and the order stays.
//
// Errors begin with "failed to extract JSON: " when there is no JSON object, and with "failed to
// parse JSON: " when the object is not a PriorityResult. The rest says where the fault is and what
// is expected. Both wrap an error of package structured. If a recommendation lacks a field, the
// error has no prefix: "recommendation 0 missing prd_id", counted from 0.
func ParsePriorityResponse(response string) (*PriorityResult, error) {
	// The rules of the tags are checked below, for messages in the terms of this package.
	result, err := structured.Parse[PriorityResult](response, structured.WithoutValidation())
	if object := objectInList(response); err != nil && object != "" {
		result, err = structured.Parse[PriorityResult](object, structured.WithoutValidation())
	}
	switch {
	case isMissing(response, err):
		_, missing := extractJSON(response)
		return nil, fmt.Errorf("failed to extract JSON: %w", &extractError{missing, err})
	case err != nil:
		return nil, fmt.Errorf("failed to parse JSON: %w", err)
	}
	if err := validateRecommendations(result.Recommendations); err != nil {
		return nil, err
	}
	return &result, nil
}

// isMissing reports whether a response has no JSON object, or the beginning of one in its prose
// alone, where a brace need not mean anything.
func isMissing(response string, err error) bool {
	if !strings.Contains(response, "{") {
		return true // null decodes too
	}
	if cut, ok := errors.AsType[*structured.TruncatedError](err); ok {
		before := strings.TrimSpace(strings.TrimPrefix(response[:cut.Start.Offset], "\uFEFF"))
		return before != "" && !strings.Contains(before, "```")
	}
	_, ok := errors.AsType[*structured.NotFoundError](err)
	return ok
}

// extractError says in the terms of this package what package structured found.
type extractError struct {
	error
	cause error
}

// Unwrap returns the error of package structured.
func (e *extractError) Unwrap() error { return e.cause }

var (
	errNoContent = errors.New("no JSON content found in response")
	errNoObject  = errors.New("no valid JSON object found in response")
)

// extractJSON returns the JSON object in a response: the object that the response begins with, or
// else the object in a fence or in the prose.
func extractJSON(response string) (string, error) {
	for _, candidate := range structured.Candidates(response) {
		if candidate.Kind != jsontext.KindBeginObject {
			continue
		}
		if !candidate.Truncated {
			return candidate.Text, nil
		}
	}
	if object := objectInList(response); object != "" {
		return object, nil
	}
	if strings.Contains(response, "{") {
		return "", errNoObject
	}
	return "", errNoContent
}

// objectInList returns the first object in the list that a response consists of, "" where it is no
// such list.
func objectInList(response string) string {
	candidates := structured.Candidates(response)
	if len(candidates) == 0 || candidates[0].Kind != jsontext.KindBeginArray ||
		candidates[0].Truncated {
		return ""
	}
	for _, inner := range structured.Candidates(candidates[0].Text[1:]) {
		if inner.Kind == jsontext.KindBeginObject && !inner.Truncated {
			return inner.Text
		}
	}
	return ""
}

// validateRecommendations checks that there are recommendations and that each is usable.
func validateRecommendations(recommendations []Recommendation) error {
	if len(recommendations) == 0 {
		return errors.New("no recommendations in response")
	}
	for i, r := range recommendations {
		if r.PRDID == "" {
			return fmt.Errorf("recommendation %d missing prd_id", i)
		}
		if r.Priority <= 0 {
			return fmt.Errorf("recommendation %d (%s) has invalid priority: %d", i, r.PRDID,
				r.Priority)
		}
	}
	return nil
}
