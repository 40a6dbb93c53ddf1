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

// ToGemini converts a request of the Messages API, for a message or a token count, to a request for
// Gemini.
//
// It carries over what Gemini can express. The report lists everything else, with JSON pointers
// into in. The table of [models.At] decides what depends on the model: how to ask for thinking, and
// whether a schema must be simplified.
//
// The result passes [gemini.ValidateRequest], unless [WithoutValidation] is given. The error is an
// *[Error]. It says which part of the request has no counterpart at all. ToGemini returns the
// report up to that point with an error too. The result shares memory with in.
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
	in      *anthropicapi.CreateMessageRequest
	history history
	choice  functions.Choice // which functions to call

	searches []string // the pointers of tools that search the web
	// declared are the tools that are declared as functions, by function name. It is nil if no
	// message adds tools.
	declared map[string]*anthropicapi.Tool
	// positions are the positions of the declared tools. They count in tools, and after all of
	// these among the tools that messages add.
	positions []int
}

// setModel sets the model. Users of Claude Code append the window length to the name, as in
// "gemini-3.6-flash[1m]". The suffix is for Claude Code alone.
func (c *converter) setModel() error {
	asked := c.in.Model
	if name, _, found := strings.Cut(asked, "["); found && strings.HasSuffix(asked, "m]") {
		asked = name
		c.Report.Add(report.Approximated, "/model", "sent without the length of the context window")
	}
	c.SetModel(asked, c.model, c.when)
	return nil
}
