package fakegemini

import (
	"errors"
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/catalog"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/signature"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/validation"
)

// check returns the refusal of a request to generate content, or nil if the real server accepts it.
func (a *api) check(request *received.Request) *refusal.Refusal {
	if why := a.checkForm(request); why != nil || a.settings.unchecked {
		return why
	}
	if invalid := a.violations(request); invalid != nil {
		return refusal.Invalid(request, invalid)
	}
	model := models.At(request.Model, request.Backend, a.settings.now())
	if model.Traits.RequiresSignatures && !signaturesAreIntact(request.Content.Contents) {
		return refusal.CorruptedSignature(request.Backend)
	}
	if why := a.checkReferences(request); why != nil {
		return why
	}
	return a.checkLength(request)
}

// checkReferences checks the cache and the files that a request names.
func (a *api) checkReferences(request *received.Request) *refusal.Refusal {
	if why := a.checkCacheUse(request); why != nil {
		return why
	}
	return a.checkFileUse(request.Content)
}

// checkLength checks the number of tokens of a request with long texts.
func (a *api) checkLength(request *received.Request) *refusal.Refusal {
	limit := *a.catalog.Describe(request.Model).InputTokenLimit
	if count := *answer.Count(a.question(request)).TotalTokens; count > limit {
		return refusal.TooManyTokens(count, limit)
	}
	return nil
}

// checkForm checks the model, and that the body can be decoded.
func (a *api) checkForm(request *received.Request) *refusal.Refusal {
	if why := a.checkModel(request); why != nil {
		return why
	}
	if request.Malformed != nil {
		return refusal.Malformed(request, a.violations)
	}
	return nil
}

// checkModel returns the refusal of a request to a model that does not exist or does not have the
// method. It returns nil for requests about other resources.
func (a *api) checkModel(request *received.Request) *refusal.Refusal {
	if request.IsInteraction {
		return nil // which has checked the model
	}
	isOfOther := request.Model == "" && !catalog.IsOfModels(request.Operation)
	if isOfOther || a.catalog.Has(request.Model, request.Backend, request.Operation) {
		return nil
	}
	return refusal.UnknownModel(request.Route)
}

// checkCount is check for a request to count tokens, whose turns may be in any order.
func (a *api) checkCount(request *received.Request) *refusal.Refusal {
	if why := a.checkForm(request); why != nil || a.settings.unchecked {
		return why
	}
	isOfForm := func(v validation.Violation) bool { return slices.Contains(formRules, v.Rule) }
	invalid := slices.DeleteFunc(a.violations(request),
		func(v validation.Violation) bool { return !isOfForm(v) })
	if len(invalid) > 0 {
		return refusal.Invalid(request, invalid)
	}
	return a.checkReferences(request)
}

// formRules are the rules for requests to count tokens: names, values and required members.
var formRules = []string{"unknown", "oneof", "required", "one_member", "backend"}

// signaturesAreIntact checks all signatures, including the signatures of earlier turns.
func signaturesAreIntact(contents []geminiapi.Content) bool {
	for i := range contents {
		for j := range contents[i].Parts {
			if !signature.IsIntact(&contents[i].Parts[j]) {
				return false
			}
		}
	}
	return true
}

// violations returns the problems of a request that can be decoded.
func (a *api) violations(request *received.Request) []validation.Violation {
	when := a.settings.now()
	all := violationsOf(request, request.Content, when)
	isReturned := func(c geminiapi.Content) bool { return jsonx.Deref(c.Role) == "model" }
	if !slices.ContainsFunc(request.Content.Contents, isReturned) {
		return all
	}
	reported := make(map[string]bool)
	for _, violation := range all {
		reported[violation.Pointer+" "+violation.Rule] = true
	}
	for _, violation := range violationsOf(request, asSaidByUser(request.Content), when) {
		if (violation.Rule == "unknown" || violation.Rule == "oneof") &&
			!reported[violation.Pointer+" "+violation.Rule] {
			all = append(all, violation)
		}
	}
	return all
}

func violationsOf(request *received.Request, content *geminiapi.GenerateContentRequest,
	when time.Time) []validation.Violation {
	err := gemini.ValidateRequest(content, gemini.ForModel(request.Model), gemini.ForTime(when),
		backendOption(request.Backend))
	if invalid, ok := errors.AsType[*validation.Error](err); ok {
		return invalid.Violations
	}
	return nil
}

// asSaidByUser returns a request without the role model. ValidateRequest accepts unknown names and
// values in model turns, because a newer server may have sent them. This server has not sent them,
// so here they are mistakes.
func asSaidByUser(content *geminiapi.GenerateContentRequest) *geminiapi.GenerateContentRequest {
	own := *content
	own.Contents = slices.Clone(content.Contents)
	for i := range own.Contents {
		own.Contents[i].Role = nil
	}
	return &own
}

func backendOption(backend models.Backends) gemini.ValidateOption {
	if backend == models.VertexAI {
		return gemini.ForVertexAI()
	}
	return gemini.ForGeminiAPI()
}
