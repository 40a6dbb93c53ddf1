package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// ToGemini converts a chat completion request to a request for Gemini.
//
// It carries over what Gemini can express. The report lists everything else, with JSON pointers
// into in. The table of [models.At] decides what depends on the model: how to ask for thinking, and
// whether a schema must be simplified.
//
// Messages that package chat made from a Gemini response or stream become exactly the model's turn
// again, if they come back with their extra_content. Members of extra_content that only describe an
// answer, such as its sources, are reported as approximated, because a request does not repeat
// them.
//
// The result passes [gemini.ValidateRequest], unless [WithoutValidation] is given. The error is an
// *[Error]. It says which part of the request has no counterpart at all. ToGemini returns the
// report up to that point with an error too. The result shares memory with in.
func ToGemini(in *openaiapi.CreateChatCompletionRequest,
	opts ...Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	if in == nil {
		return nil, nil, &Error{Problem: "there is no request"}
	}
	c := newConverter(in, opts)
	for _, step := range steps {
		if err := step(c); err != nil {
			return nil, c.Report, asError(err)
		}
	}
	return c.Out, c.Report, nil
}

// steps are the steps of a conversion, in order.
var steps = [...]func(*converter) error{
	(*converter).setModel,
	(*converter).setExtraBody,
	(*converter).setMessages,
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
	in      *openaiapi.CreateChatCompletionRequest
	history history
	choice  functions.Choice // which functions to call
	// declared are the positions of the declared functions. They count in tools, and after all of
	// these in functions.
	declared []int
}

// newConverter returns a converter for a request. It sets the members one by one, because a literal
// of this size would be built on the stack, and would grow the stack of servers that call models
// there.
func newConverter(in *openaiapi.CreateChatCompletionRequest, opts []Option) *converter {
	c := &converter{in: in}
	option.Apply(&c.options, opts)
	c.Out, c.Origins = &geminiapi.GenerateContentRequest{}, &origins
	c.VertexAI, c.SchemaForm = c.vertex, c.schemaForm
	return c
}

// setModel sets the model.
func (c *converter) setModel() error {
	c.SetModel(c.in.Model, c.model, c.when)
	return nil
}
