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

// Request is a request for Gemini that is being made. A form sets Out, Origins and the choices of
// its options.
type Request struct {
	// Out is the request so far. It is never nil.
	Out *geminiapi.GenerateContentRequest
	// Traits are what the model that answers takes. Their list of levels and range of budgets are
	// the table's, and must not be changed.
	Traits models.Traits
	// VertexAI says that the request is for Vertex AI.
	VertexAI bool
	// SchemaForm says that schemas are to be in Gemini's own form, also for models that take JSON
	// Schema.
	SchemaForm bool
	// Report is what was added, approximated or lost so far.
	Report report.Report
	// Origins says what the members of Out are made of.
	Origins *Origins

	// ExtraBody are the pointers of the members of extra_body, which set members of Gemini's
	// request directly, by [jsonx.FoldName] of their name.
	ExtraBody map[string]string
	// NativeTools are the tools of extra_body. Those of the form come first.
	NativeTools []geminiapi.Tool
	// StreamArguments is whether extra_body asks for the arguments of calls in pieces.
	StreamArguments *bool

	generation geminiapi.GenerationConfig // of Out, unless extra_body has one
	model      *models.Model              // that answers
	when       time.Time                  // it is to be answered
}

// DetailInExtraBody is the detail for a member that extra_body has too.
const DetailInExtraBody = "said again in extra_body, which counts"

// Set puts a value of the form's request, nil for none, where it belongs, unless extra_body has set
// it already, which then counts.
func Set[T any](r *Request, pointer string, value *T, target **T) {
	switch {
	case value == nil:
	case *target != nil:
		r.Report.Add(report.Lost, pointer, DetailInExtraBody)
	default:
		*target = value
	}
}

// Config returns the generationConfig of the request. One in which nothing was set is left out by
// [Request.Finish].
func (r *Request) Config() *geminiapi.GenerationConfig {
	if r.Out.GenerationConfig == nil {
		r.Out.GenerationConfig = &r.generation
	}
	return r.Out.GenerationConfig
}

// ToolConfig returns the toolConfig of the request, which is there as soon as something is set in
// it.
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

// Refuses reports whether the service that the request goes to is one of some.
func (r *Request) Refuses(services models.Backends) bool {
	if r.VertexAI {
		return services.Has(models.VertexAI)
	}
	return services.Has(models.GeminiAPI)
}

// IsCached reports whether the conversation begins in an explicit cache.
func (r *Request) IsCached() bool { return jsonx.Deref(r.Out.CachedContent) != "" }

// SetModel names the model as the Gemini API does in a request. On Vertex AI it is only in the
// address. asked is the model of the form's request, and set another that counts more, "" for none.
// The request is made for the model that answers at a time, zero for now.
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
		r.Report.Add(report.Approximated, "/model", "another model was set")
	case r.VertexAI && asked != "":
		r.Report.Add(report.Approximated, "/model", "the address of the call names the model")
	case asked != "" && !models.IsGoogles(asked):
		r.Report.Add(report.Approximated, "/model",
			"not known as a model of Google's; sent under that name")
	}
	if name != "" && !r.VertexAI {
		r.Out.Model = new(modelResource(name))
	}
}

// modelAt returns the model that answers to a name at a time, zero for now. A model is large, so it
// is not on the stack of those that convert by it.
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

// modelResource returns the resource name of a model. Addresses of Google's that know several
// makers of models put "google/" in front of an id, and clients that know several servers
// "gemini/".
func modelResource(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "google/"), "gemini/")
	if strings.Contains(name, "/") {
		return name
	}
	return "models/" + name
}
