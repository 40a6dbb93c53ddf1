// Package requestcheck checks a request the way the API does. Package gemini says what is checked.
//
// The walk over it, structure.gen.go, is generated from api/openapi/gemini.yaml. It holds each
// value to what the description says of it, and calls the checker's method checkT for each value of
// a type T, for example checkBlob for all media. These methods, written by hand, are the rules that
// the description cannot say.
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

// Target is what is known of where a request is going. The zero value holds it to the rules that
// all models and both backends have.
type Target struct {
	Model   string // "" is the model of the request
	Backend Backend
	When    time.Time // zero is now
}

// Backend is one of the two services that speak the wire.
type Backend string

// The backends. Their values are their names in messages.
const (
	AnyBackend Backend = ""
	GeminiAPI  Backend = "the Gemini API"
	VertexAI   Backend = "Vertex AI"
)

// Check returns what is wrong with a request, in the order of the checks. The request is not
// changed.
//
// What counts is the model that answers. Where the service is not known and the two services have
// different models answer to a name, a problem is one that both have.
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

// checkForBoth returns the problems that the models of both services have.
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

// check holds a request to the rules of a backend, by the model that answers at a service.
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

// unnamed is the model of a request that names none. It must not be changed.
var unnamed models.Model

// checker is one run over a request.
type checker struct {
	request  *geminiapi.GenerateContentRequest
	model    *models.Model // unnamed when no model is named
	backend  Backend
	traits   *models.Traits // nil when no model is named; not to be changed
	depth    int            // how many messages that can hold themselves are around this one
	problems []validation.Violation
}

// checkGenerateContentRequest checks the turns, and what members of the request say together.
func (v *checker) checkGenerateContentRequest(at *codec.Location,
	r *geminiapi.GenerateContentRequest) {
	v.turns(at, r)
	v.functionNames(at, r.Tools)
	v.refusedTools(at, r)
	v.cachedContent(at, r)
	if r.ModelArmorConfig != nil && len(r.SafetySettings) > 0 {
		v.reportMember(at, "safetySettings", ruleExcluded, "",
			"must be absent beside modelArmorConfig, which takes their place")
	}
}
