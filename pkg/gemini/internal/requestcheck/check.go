// Package requestcheck checks a request like the API does. Package gemini documents the rules.
//
// The walk over the request, structure.gen.go, is generated from api/openapi/gemini.yaml. It checks
// each value against the description, and calls the checker's method checkT for each value of a
// type T, for example checkBlob for all media. These methods are written by hand. They contain the
// rules that the description cannot express.
package requestcheck

import (
	"slices"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../../../tools/codecgen structure .:geminiapi.GenerateContentRequest ../../../../gen/geminiapi=../../../../api/openapi/gemini.yaml

// Target describes where a request is going. The zero value applies only the rules that all models
// and both backends share.
type Target struct {
	Model   string // "" means the model of the request
	Backend Backend
	When    time.Time // zero means now
}

// Backend is one of the two services.
type Backend string

// The backends. Their values are their names in messages.
const (
	AnyBackend Backend = ""
	GeminiAPI  Backend = "the Gemini API"
	VertexAI   Backend = "Vertex AI"
)

// Check returns the problems of a request, in the order of the checks. It does not change the
// request.
//
// The rules of the model that answers apply. If the service is unknown and different models answer
// to a name at the two services, Check reports only problems that both models have.
func Check(r *geminiapi.GenerateContentRequest, target Target) []validation.Violation {
	if target.Model == "" {
		target.Model = textOf(r.Model)
	}
	if target.When.IsZero() {
		target.When = clock.Now()
	}
	if target.Model == "" || target.Backend != AnyBackend {
		return check(r, target, target.Backend.service())
	}
	return checkForBoth(r, target)
}

// checkForBoth returns the problems that the models of both services share.
func checkForBoth(r *geminiapi.GenerateContentRequest, target Target) []validation.Violation {
	atGemini, atVertex := modelOf(target, models.GeminiAPI), modelOf(target, models.VertexAI)
	found := check(r, target, models.VertexAI)
	if len(found) == 0 || atGemini.Name == atVertex.Name {
		return found
	}
	atGeminiAPI := check(r, target, models.GeminiAPI)
	return slices.DeleteFunc(found, func(v validation.Violation) bool {
		return !slices.ContainsFunc(atGeminiAPI,
			func(o validation.Violation) bool { return o.Pointer == v.Pointer && o.Rule == v.Rule })
	})
}

// check applies the rules of a backend, for the model that answers at a service.
func check(r *geminiapi.GenerateContentRequest, target Target,
	service models.Backends) []validation.Violation {
	v := checker{request: r, backend: target.Backend, model: &unnamed}
	if target.Model != "" {
		v.model = modelOf(target, service)
		v.traits = &v.model.Traits
	}
	var root codec.Location
	v.walkGenerateContentRequest(&root, r)
	return v.problems
}

// modelOf returns the model that answers at a service. A model is large, so it is not on the stack
// of the checks.
//
//go:noinline
func modelOf(target Target, service models.Backends) *models.Model {
	return new(models.At(target.Model, service, target.When))
}

// service returns the service of a backend.
func (b Backend) service() models.Backends {
	switch b {
	case GeminiAPI:
		return models.GeminiAPI
	case VertexAI:
		return models.VertexAI
	default:
		return models.BothBackends
	}
}

// unnamed is the model of a request without a model. It must not be changed.
var unnamed models.Model

// checker is the state of one check of a request.
type checker struct {
	request  *geminiapi.GenerateContentRequest
	model    *models.Model // unnamed if the request names no model
	backend  Backend
	traits   *models.Traits // nil if the request names no model; must not be changed
	depth    int            // the nesting depth of messages that can contain themselves
	problems []validation.Violation
}

// checkGenerateContentRequest checks the turns and the rules that span members of the request.
func (v *checker) checkGenerateContentRequest(at *codec.Location,
	r *geminiapi.GenerateContentRequest) {
	v.turns(at, r)
	v.functionNames(at, r.Tools)
	v.refusedTools(at, r)
	v.cachedContent(at, r)
	if r.ModelArmorConfig != nil && len(r.SafetySettings) > 0 {
		v.reportMember(at, "safetySettings", ruleExcluded, "",
			"must be absent, because modelArmorConfig replaces them")
	}
}
