package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// ToGemini converts a request of the Interactions API to a request for generateContent.
//
// It carries over what Gemini can express. The report lists everything else, with JSON pointers
// into in. The table of [models.At] decides what depends on the model: how to ask for thinking, and
// whether a schema must be simplified.
//
// The result passes [gemini.ValidateRequest], unless [WithoutValidation] is given. The error is an
// *[Error]. It says which part of the request has no counterpart at all. ToGemini returns the
// report up to that point with an error too. The result shares memory with in.
func ToGemini(in *interactionsapi.CreateInteractionRequest,
	opts ...Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	if in == nil {
		return nil, nil, asError(refuse("", "there is no request"))
	}
	c := converter{options: option.New[options](opts), in: in,
		generation: jsonx.Deref(in.GenerationConfig)}
	c.Request = target.Request{
		Out: &geminiapi.GenerateContentRequest{}, VertexAI: c.vertex, SchemaForm: c.schemaForm,
		Origins: &origins,
	}
	for _, step := range stages {
		if err := step(&c); err != nil {
			return nil, c.Report, asError(err)
		}
	}
	return c.Out, c.Report, nil
}

// stages are the stages of a conversion, in order.
var stages = [...]func(*converter) error{
	(*converter).checkState,
	(*converter).setModel,
	(*converter).setCachedContent,
	(*converter).setInput,
	(*converter).readToolChoice,
	(*converter).setTools,
	(*converter).setToolChoice,
	(*converter).setGeneration,
	(*converter).avoidRefusals,
	(*converter).setUnmatched,
	(*converter).validate,
}

// converter converts one request.
type converter struct {
	options
	target.Request
	in         *interactionsapi.CreateInteractionRequest
	generation interactionsapi.GenerationConfig // of in; empty if in has none
	history    history
	choice     functions.Choice // which functions to call

	searches  []string // the pointers of tools that search with Google
	positions []int    // of the tools that are functions, in tools
}

// setModel sets the model.
func (c *converter) setModel() error {
	c.SetModel(jsonx.Deref(c.in.Model), c.model, c.when)
	return nil
}

// setCachedContent sets the explicit cache that the conversation begins in. The Interactions API
// refuses the member, but clients of its first revision had it.
func (c *converter) setCachedContent() error {
	if c.in.CachedContent != nil {
		c.Out.CachedContent = c.in.CachedContent
		c.ExtraBody = map[string]string{"cachedcontent": "/cached_content"} // for errors
	}
	return nil
}
