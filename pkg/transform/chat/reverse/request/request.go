package request

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/report"
)

// FromGemini converts a request for Gemini into one for chat_completions. The report names what was
// added, approximated or lost, with JSON pointers into in; the package comment says what becomes of
// what.
//
// The result is a request that [openai.ValidateRequest] finds nothing wrong with, unless
// [WithoutValidation] is given; names of functions are left out of that where the extensions let
// them stay as they are. The error is an *[Error], which says where in the request something has no
// counterpart at all. The report is returned beside an error too, as far as it got. The result
// shares memory with in.
func FromGemini(in *geminiapi.GenerateContentRequest,
	opts ...Option) (*openaiapi.CreateChatCompletionRequest, report.Report, error) {
	if in == nil {
		return nil, nil, &Error{Problem: "there is no request"}
	}
	c := converter{options: option.New[options](opts), in: in, rest: *in,
		out: &openaiapi.CreateChatCompletionRequest{}}
	c.rest.Contents, c.rest.GenerationConfig = nil, nil
	c.config = jsonx.Deref(in.GenerationConfig)
	for _, step := range steps {
		if err := step(&c); err != nil {
			return nil, c.report, err
		}
	}
	return c.out, c.report, nil
}

// steps convert the request, one after the other.
var steps = [...]func(*converter) error{
	(*converter).setModel,
	(*converter).setNames,
	(*converter).setInstruction,
	(*converter).setMessages,
	(*converter).setTools,
	(*converter).setToolChoice,
	(*converter).setGeneration,
	(*converter).setEffortBesideTools,
	(*converter).setService,
	(*converter).setRest,
	(*converter).validate,
}

// converter converts one request.
type converter struct {
	options
	in  *geminiapi.GenerateContentRequest
	out *openaiapi.CreateChatCompletionRequest
	// rest and config are what no step has expressed yet. A step takes away what it does express;
	// what is left goes into the extensions, or is lost.
	rest   geminiapi.GenerateContentRequest
	config geminiapi.GenerationConfig
	// sent are the names of functions as they are sent, by their own; only those that differ.
	sent   map[string]string
	report report.Report
}

// setModel names the model as the server knows it: without the folder that Gemini's names of models
// stand in.
func (c *converter) setModel() error {
	named := strings.TrimPrefix(jsonx.Deref(c.rest.Model), "models/")
	if c.model != "" && named != "" && c.model != named {
		c.report.Add(report.Approximated, "/model", "another model was set")
	}
	c.out.Model, c.rest.Model = cmp.Or(c.model, named), nil
	if c.out.Model == "" && !c.unvalidated {
		return &Error{Pointer: "/model",
			Problem: "neither the request nor an option says which model is to answer"}
	}
	if c.stream {
		c.out.Stream = new(true)
		c.out.StreamOptions = &openaiapi.StreamOptions{IncludeUsage: new(true)}
	}
	return nil
}
