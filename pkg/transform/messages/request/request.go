package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/functions"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// ToGemini converts the request for a message, or for a count of tokens, into one that Gemini
// takes.
//
// What Gemini can express is carried over; the report names everything else, with JSON pointers
// into in. What depends on the model (how thinking is asked for, whether a schema must be
// simplified) is decided by the table of [models.At].
//
// The result is a request that [gemini.ValidateRequest] finds nothing wrong with, unless
// [WithoutValidation] is given. The error is an *[Error], which says where in the request something
// has no counterpart at all. The report is returned beside an error too, as far as it got. The
// result shares memory with in.
func ToGemini(in *anthropicapi.CreateMessageRequest,
	opts ...Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	c := converter{options: option.New[options](opts), in: in}
	c.Request = target.Request{
		Out: &geminiapi.GenerateContentRequest{}, VertexAI: c.vertex, SchemaForm: c.schemaForm,
		Origins: &origins,
	}
	if in == nil {
		return nil, nil, &Error{Problem: "there is no request"}
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
	in      *anthropicapi.CreateMessageRequest
	history history
	choice  functions.Choice // which functions are to be called

	searches []string // the pointers of tools that search the web
	// declared are the tools that are declared as functions, by the names of those; nil where
	// messages add no tools.
	declared map[string]*anthropicapi.Tool
	// positions are those of the tools that are declared as functions: in tools, or after all of
	// these among the tools that messages add.
	positions []int
}

// setModel names the model. Users of Claude Code write the length of its window after a name,
// "gemini-3.6-flash[1m]", which is for Claude Code alone.
func (c *converter) setModel() error {
	asked := c.in.Model
	if name, _, found := strings.Cut(asked, "["); found && strings.HasSuffix(asked, "m]") {
		asked = name
		c.Report.Add(report.Approximated, "/model", "sent without the length of the window")
	}
	c.SetModel(asked, c.model, c.when)
	return nil
}
