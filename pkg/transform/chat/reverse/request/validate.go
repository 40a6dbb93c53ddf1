package request

import (
	"errors"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/validation"
)

// validate returns an error if OpenAI is known to refuse the result. With the extensions, function
// names are Gemini's.
func (c *converter) validate() error {
	if c.unvalidated {
		return nil
	}
	refusal, ok := errors.AsType[*validation.Error](openai.ValidateRequest(c.out))
	if !ok {
		return nil
	}
	if !c.plain {
		refusal.Violations = slices.DeleteFunc(refusal.Violations, isOfName)
	}
	if len(refusal.Violations) == 0 {
		return nil
	}
	return &Error{Problem: "OpenAI would refuse the converted request: " + refusal.Error(),
		Err: refusal}
}

func isOfName(v validation.Violation) bool {
	return v.Rule == "name" &&
		(strings.HasPrefix(v.Pointer, "/messages/") || strings.HasPrefix(v.Pointer, "/tool"))
}
