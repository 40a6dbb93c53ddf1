package geminitest

import (
	"errors"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/refusal"
	"github.com/gemwire/gemwire/pkg/validation"
)

// check returns the refusal of a request to generate or to count that the real server refuses, nil for all others.
func (a *api) check(request *received.Request) *refusal.Refusal {
	if !a.isKnown(request.Model) {
		return refusal.UnknownModel(request.Route)
	}
	if request.Malformed != nil {
		return refusal.Malformed(request)
	}
	if a.settings.unchecked {
		return nil
	}
	err := gemini.ValidateRequest(request.Content, gemini.ForModel(request.Model), backendOption(request.Backend))
	if invalid, ok := errors.AsType[*validation.Error](err); ok {
		return refusal.Invalid(request, invalid.Violations)
	}
	return nil
}

func backendOption(backend models.Backends) gemini.ValidateOption {
	if backend == models.VertexAI {
		return gemini.ForVertexAI()
	}
	return gemini.ForGeminiAPI()
}

// isKnown reports whether a model exists: one of Google's families, one that a test has named, or one that its owner
// named.
func (a *api) isKnown(model string) bool {
	isOfFamily := func(family string) bool { return strings.HasPrefix(model, family) }
	return slices.Contains(a.settings.models, model) || strings.Contains(model, "/") || slices.ContainsFunc(models.Families(), isOfFamily)
}
