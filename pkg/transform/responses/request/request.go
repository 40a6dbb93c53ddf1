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

// ToGemini converts the request for a response into one that Gemini takes.
//
// What Gemini can express is carried over; the report names everything else, with JSON pointers
// into in. What depends on the model (how thinking is asked for, whether a schema must be
// simplified) is decided by the table of [models.At].
//
// The items that package responses made of an answer or of a stream, returned by a client, become
// the model's turn again with its signatures, also when the client has left out ids, states and
// members that it does not know.
//
// The result is a request that [gemini.ValidateRequest] finds nothing wrong with, unless
// [WithoutValidation] is given. The error is an *[Error], which says where in the request something
// has no counterpart at all. The report is returned beside an error too, as far as it got. The
// result shares memory with in.
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

// steps convert the request, one after the other.
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
	choice   functions.Choice // which functions are to be called
	searches []string         // the pointers of tools that search with Google
}

// setModel names the model.
func (c *converter) setModel() error {
	asked := ""
	if c.in.Model != nil {
		asked = *c.in.Model
	}
	c.SetModel(asked, c.model, c.when)
	return nil
}
