package requestcheck

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// isAt reports whether the request goes to one of some backends, if its backend is known.
func (v *checker) isAt(backends models.Backends) bool {
	switch v.backend {
	case GeminiAPI:
		return backends.Has(models.GeminiAPI)
	case VertexAI:
		return backends.Has(models.VertexAI)
	default:
		return backends.Has(models.BothBackends)
	}
}

// refusedSettings are settings that the model refuses at this backend. A penalty of 0 is unset.
func (v *checker) refusedSettings(at *codec.Location, c *geminiapi.GenerationConfig) {
	if v.traits == nil {
		return
	}
	if v.isAt(v.traits.RefusesPenalties) {
		v.refusedPenalty(at, "frequencyPenalty", c.FrequencyPenalty)
		v.refusedPenalty(at, "presencePenalty", c.PresencePenalty)
	}
	if v.isAt(v.traits.RefusesLogprobs) && c.ResponseLogprobs != nil && *c.ResponseLogprobs {
		v.reportMember(at, "responseLogprobs", ruleModel, "true",
			v.modelName()+" does not return log probabilities"+v.atBackend())
	}
	if v.isAt(v.traits.RefusesMultipleCandidates) && c.CandidateCount != nil &&
		*c.CandidateCount > 1 {
		v.reportMember(at, "candidateCount", ruleModel, strconv.Itoa(*c.CandidateCount),
			v.modelName()+" returns one candidate"+v.atBackend()+"; must be 1")
	}
}

func (v *checker) refusedPenalty(at *codec.Location, name string, penalty *float64) {
	if penalty != nil && *penalty != 0 {
		v.reportMember(at, name, ruleModel, numberText(*penalty),
			v.modelName()+" does not accept penalties"+v.atBackend())
	}
}

// refusedTools checks functions together with what the model refuses with them at this backend. In
// the mode NONE no function can be called, and it is unknown what the model refuses.
func (v *checker) refusedTools(root *codec.Location, r *geminiapi.GenerateContentRequest) {
	if v.traits == nil || !declaresFunctions(r.Tools) ||
		isCallingMode(r.ToolConfig, geminiapi.FunctionCallingModeNone) {
		return
	}
	if c := r.GenerationConfig; c != nil && v.isAt(v.traits.RefusesJSONWithFunctions) &&
		strings.EqualFold(textOf(c.ResponseMIMEType), "application/json") {
		at := root.Member("generationConfig")
		v.reportMember(&at, "responseMimeType", ruleModel, shortString(*c.ResponseMIMEType),
			v.modelName()+" does not accept functions together with JSON answers"+v.atBackend())
	}
	list := root.Member("tools")
	for i := range r.Tools {
		at := list.Element(i)
		v.refusedServerTool(&at, &r.Tools[i])
	}
}

func declaresFunctions(tools []geminiapi.Tool) bool {
	return slices.ContainsFunc(tools,
		func(t geminiapi.Tool) bool { return len(t.FunctionDeclarations) > 0 })
}

func isCallingMode(c *geminiapi.ToolConfig, mode geminiapi.FunctionCallingMode) bool {
	return c != nil && c.FunctionCallingConfig != nil && isEnum(c.FunctionCallingConfig.Mode, mode)
}

// refusedServerTool checks a tool that the backend runs, together with functions.
func (v *checker) refusedServerTool(at *codec.Location, t *geminiapi.Tool) {
	name := serverTool(t)
	config := v.request.ToolConfig
	isShown := config != nil && config.IncludeServerSideToolInvocations != nil &&
		*config.IncludeServerSideToolInvocations
	switch {
	case name == "":
	case name == "googleSearch" && v.isAt(v.traits.RefusesSearchWithFunctions):
		v.reportMember(at, name, ruleModel, "",
			v.modelName()+" does not accept functions together with it"+v.atBackend())
	case v.isAt(v.traits.RequiresShownServerCalls) && !isShown:
		v.reportMember(at, name, ruleNeeds, "",
			"needs toolConfig.includeServerSideToolInvocations to be true, because the request has functions")
	}
}

// serverTool names a tool that the backend runs and that is known to be refused, or "".
func serverTool(t *geminiapi.Tool) string {
	switch {
	case t.GoogleSearch != nil:
		return "googleSearch"
	case t.CodeExecution != nil:
		return "codeExecution"
	case t.URLContext != nil:
		return "urlContext"
	default:
		return ""
	}
}

// atBackend ends a message about what the model accepts at the other backend.
func (v *checker) atBackend() string {
	if v.backend == AnyBackend {
		return ""
	}
	return " at " + string(v.backend)
}
