package target

import (
	"slices"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
)

// Request is a Gemini request while it is built. A form sets Out, Origins and the values of its
// options.
type Request struct {
	// Out is the request so far. It is never nil.
	Out *geminiapi.GenerateContentRequest
	// Traits describe what the model accepts. Their list of levels and range of budgets belong to
	// the table and must not be changed.
	Traits models.Traits
	// VertexAI is true if the request is for Vertex AI.
	VertexAI bool
	// SchemaForm is true if schemas should be in Gemini's own form, even for models that accept
	// JSON Schema.
	SchemaForm bool
	// Report lists the values that were added, approximated or lost so far.
	Report report.Report
	// Origins maps the members of Out to the form's request.
	Origins *Origins

	// ExtraBody has the pointers of extra_body members, which set members of Gemini's request
	// directly. The keys are [jsonx.FoldName] of their names.
	ExtraBody map[string]string
	// NativeTools are the tools of extra_body. The form's tools come first.
	NativeTools []geminiapi.Tool
	// StreamArguments is set if extra_body asks for the arguments of calls in pieces.
	StreamArguments *bool

	generation geminiapi.GenerationConfig // of Out, unless extra_body has one
	model      *models.Model              // that answers
	when       time.Time                  // time of the answer
}

// DetailInExtraBody is the detail for a member that extra_body has too.
const DetailInExtraBody = "extra_body sets it too, and that value is used"

// Set sets a value of the form's request unless it is nil. A value that extra_body has already set
// takes precedence.
func Set[T any](r *Request, pointer string, value *T, target **T) {
	switch {
	case value == nil:
	case *target != nil:
		r.Report.Add(report.Lost, pointer, DetailInExtraBody)
	default:
		*target = value
	}
}

// Config returns the generationConfig of the request. [Request.Finish] removes an empty one.
func (r *Request) Config() *geminiapi.GenerationConfig {
	if r.Out.GenerationConfig == nil {
		r.Out.GenerationConfig = &r.generation
	}
	return r.Out.GenerationConfig
}

// ToolConfig returns the toolConfig of the request, and adds one if needed.
func (r *Request) ToolConfig() *geminiapi.ToolConfig {
	if r.Out.ToolConfig == nil {
		r.Out.ToolConfig = &geminiapi.ToolConfig{}
	}
	return r.Out.ToolConfig
}

// HasFunctions reports whether a function is declared.
func (r *Request) HasFunctions() bool {
	return slices.ContainsFunc(r.Out.Tools,
		func(t geminiapi.Tool) bool { return len(t.FunctionDeclarations) > 0 })
}

// Refuses reports whether the request's service is one of the given ones.
func (r *Request) Refuses(services models.Backends) bool {
	if r.VertexAI {
		return services.Has(models.VertexAI)
	}
	return services.Has(models.GeminiAPI)
}

// IsCached reports whether the conversation begins in an explicit cache.
func (r *Request) IsCached() bool { return jsonx.Deref(r.Out.CachedContent) != "" }

// SetModel sets the model name in the form of the Gemini API. On Vertex AI the name is only in the
// URL. asked is the model of the form's request. set takes precedence unless it is "". The request
// is made for the model that the name stands for at a time; zero is now.
func (r *Request) SetModel(asked, set string, when time.Time) {
	name := set
	if name == "" {
		name = asked
	}
	r.when = when
	r.model = modelAt(name, r.VertexAI, when)
	r.Traits = r.model.Traits
	switch {
	case set != "" && asked != "" && set != asked:
		r.Report.Add(report.Approximated, "/model", "an option sets another model")
	case r.VertexAI && asked != "":
		r.Report.Add(report.Approximated, "/model", "not part of Gemini's request; the URL of the call names the model")
	case asked != "" && !models.IsGoogles(asked):
		r.Report.Add(report.Approximated, "/model",
			"sent unchanged, although it is not a known model of Google")
	}
	if name != "" && !r.VertexAI {
		r.Out.Model = new(modelResource(name))
	}
}

// modelAt returns the model that a name stands for at a time; zero is now. A model is large, so it
// is not kept on the stack of conversions.
func modelAt(name string, isVertexAI bool, when time.Time) *models.Model {
	service := models.GeminiAPI
	if isVertexAI {
		service = models.VertexAI
	}
	if when.IsZero() {
		when = clock.Now()
	}
	return new(models.At(name, service, when))
}

// modelResource returns the resource name of a model. Google's URLs for several vendors prefix an
// id with "google/", and clients for several servers with "gemini/".
func modelResource(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "google/"), "gemini/")
	if strings.Contains(name, "/") {
		return name
	}
	return "models/" + name
}
