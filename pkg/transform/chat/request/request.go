package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// ToGemini converts the request for a completion into one that Gemini takes.
//
// What Gemini can express is carried over; the report names everything else, with JSON pointers
// into in. What depends on the model (how thinking is asked for, whether a schema must be
// simplified) is decided by the table of [models.At].
//
// The messages of the model that package openai made of an answer or of a stream, returned with
// their extra_content, become the model's turn again, exactly. The members of extra_content that
// only tell about an answer, such as its sources, are reported as approximated: no request repeats
// them.
//
// The result is a request that [gemini.ValidateRequest] finds nothing wrong with, unless
// [WithoutValidation] is given. The error is an *[Error], which says where in the request something
// has no counterpart at all. The report is returned beside an error too, as far as it got. The
// result shares memory with in.
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

// steps convert the request, one after the other.
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
	choice  functions.Choice // which functions are to be called
	// declared are the positions of the functions that are declared: in tools, or after all of
	// these in functions.
	declared []int
}

// newConverter returns a converter of a request. It is set member by member: a literal of its size
// would be built on the stack, which servers that call models from there would have to grow for.
func newConverter(in *openaiapi.CreateChatCompletionRequest, opts []Option) *converter {
	c := &converter{in: in}
	option.Apply(&c.options, opts)
	c.Out, c.Origins = &geminiapi.GenerateContentRequest{}, &origins
	c.VertexAI, c.SchemaForm = c.vertex, c.schemaForm
	return c
}

// setModel names the model.
func (c *converter) setModel() error {
	c.SetModel(c.in.Model, c.model, c.when)
	return nil
}
