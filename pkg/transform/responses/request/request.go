package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

// ToGemini converts a Responses API request to a request for Gemini.
//
// It carries over what Gemini can express. The report lists everything else, with JSON pointers
// into in. The table of [models.At] decides what depends on the model: how to ask for thinking, and
// whether a schema must be simplified.
//
// Items that package responses made from a Gemini response or stream become the model's turn again,
// with its signatures. Clients may omit ids, statuses and members that they do not know.
//
// The result passes [gemini.ValidateRequest], unless [WithoutValidation] is given. The error is an
// *[Error]. It says which part of the request has no counterpart at all. ToGemini returns the
// report up to that point with an error too. The result shares memory with in.
func ToGemini(in *openaiapi.CreateResponseRequest,
	opts ...Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	if in == nil {
		return nil, nil, asError(refuse("", "there is no request"))
	}
	c := converter{options: option.New[options](opts), in: in, names: toolname.Of(in)}
	c.Request = target.Request{
		Out: &geminiapi.GenerateContentRequest{}, VertexAI: c.vertex, SchemaForm: c.schemaForm,
		Origins: &origins,
	}
	for _, step := range steps {
		if err := step(&c); err != nil {
			return nil, c.Report, asError(err)
		}
	}
	return c.Out, c.Report, nil
}

// steps are the steps of a conversion, in order.
var steps = [...]func(*converter) error{
	(*converter).checkState,
	(*converter).setModel,
	(*converter).setExtraBody,
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
	in       *openaiapi.CreateResponseRequest
	names    *toolname.Names
	history  history
	choice   functions.Choice // which functions to call
	searches []string         // the pointers of tools that search with Google
}

// setModel sets the model.
func (c *converter) setModel() error {
	asked := ""
	if c.in.Model != nil {
		asked = *c.in.Model
	}
	c.SetModel(asked, c.model, c.when)
	return nil
}
