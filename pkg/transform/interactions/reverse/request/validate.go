package request

import (
	"errors"

	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
)

// validate returns an error if Google is known to refuse the result.
func (c *converter) validate() error {
	if c.unvalidated {
		return nil
	}
	var opts []interactions.ValidateOption
	if c.vertex {
		opts = append(opts, interactions.ForVertexAI())
	}
	refusal, ok := errors.AsType[*validation.Error](interactions.ValidateRequest(c.out, opts...))
	if !ok {
		return nil
	}
	return &Error{Problem: "Google would refuse the converted request: " + refusal.Error(),
		Err: refusal}
}
