// Package requestcheck checks a request the way the API does, and an answer by the description. Package gemini says
// what is checked.
//
// The walk over both, structure.gen.go, is generated from api/openapi/gemini.yaml. It holds each value to
// what the description says of it, and calls the checker's method checkT for each value of a type T, for example
// checkBlob for all media. These methods, written by hand, are the rules that the description cannot say.
package requestcheck

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/wire"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/validation"
)

//go:generate go run ../../../../internal/tools/codecgen structure .:geminiapi.GenerateContentRequest,geminiapi.GenerateContentResponse ../../../../gen/geminiapi=../../../../api/openapi/gemini.yaml

// Target is what is known of where a request is going. The zero value holds it to the rules that all
// models and both backends have.
type Target struct {
	Model   string // "" is the model of the request
	Backend Backend
}

// Backend is one of the two services that speak the wire.
type Backend string

// The backends. Their values are their names in messages.
const (
	AnyBackend Backend = ""
	GeminiAPI  Backend = "the Gemini API"
	VertexAI   Backend = "Vertex AI"
)

// Check returns what is wrong with a request, in the order of the checks. The request is not changed.
func Check(r *geminiapi.GenerateContentRequest, target Target) []validation.Violation {
	v := checker{request: r, model: target.Model, backend: target.Backend}
	if v.model == "" {
		v.model = textOf(r.Model)
	}
	if v.model != "" {
		v.traits = models.Row(v.model)
	}
	var root wire.Location
	v.walkGenerateContentRequest(&root, r)
	return v.problems
}

// CheckAnswer returns what is wrong with a response, by the same rules as far as a response has what a request has.
// The response is not changed.
func CheckAnswer(r *geminiapi.GenerateContentResponse) []validation.Violation {
	var v checker
	var root wire.Location
	v.walkGenerateContentResponse(&root, r)
	return v.problems
}

// checker is one run over a request or an answer.
type checker struct {
	request  *geminiapi.GenerateContentRequest // nil for an answer
	model    string
	backend  Backend
	traits   *models.Traits // nil when no model is named; not to be changed
	depth    int            // how many messages that can hold themselves are around this one
	problems []validation.Violation
}

// checkGenerateContentRequest checks the turns, and what members of the request say together.
func (v *checker) checkGenerateContentRequest(at *wire.Location, r *geminiapi.GenerateContentRequest) {
	v.turns(at, r)
	v.functionNames(at, r.Tools)
	v.refusedTools(at, r)
	v.cachedContent(at, r)
	if r.ModelArmorConfig != nil && len(r.SafetySettings) > 0 {
		v.reportMember(at, "safetySettings", ruleExcluded, "", "must be absent beside modelArmorConfig, which takes their place")
	}
}
