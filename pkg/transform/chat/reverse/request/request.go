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

// FromGemini converts a Gemini request to a chat completion request. The report lists what was
// added, approximated or lost, with JSON pointers into in. The package comment describes the
// conversion.
//
// The result passes [openai.ValidateRequest], unless [WithoutValidation] is given. With extensions,
// function names stay Gemini's and are not validated. The error is an *[Error]. It says which part
// of the request has no counterpart at all. FromGemini returns the report up to that point with an
// error too. The result shares memory with in.
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

// steps are the steps of a conversion, in order.
var steps = [...]func(*converter) error{
	(*converter).setModel,
	(*converter).setNames,
	(*converter).setInstruction,
	(*converter).setMessages,
	(*converter).setTools,
	(*converter).setToolChoice,
	(*converter).setGeneration,
	(*converter).setEffortDespiteTools,
	(*converter).setService,
	(*converter).setRest,
	(*converter).validate,
}

// converter converts one request.
type converter struct {
	options
	in  *geminiapi.GenerateContentRequest
	out *openaiapi.CreateChatCompletionRequest
	// rest and config hold the members that no step has converted yet. Each step removes what it
	// converts. The remainder goes into the extensions, or is lost.
	rest   geminiapi.GenerateContentRequest
	config geminiapi.GenerationConfig
	// function names as they are sent, by their original names; only those that differ
	sent   map[string]string
	report report.Report
}

// setModel sets the model under the server's name for it, without the folder of Gemini's model
// names.
func (c *converter) setModel() error {
	named := strings.TrimPrefix(jsonx.Deref(c.rest.Model), "models/")
	if c.model != "" && named != "" && c.model != named {
		c.report.Add(report.Approximated, "/model", "an option sets another model")
	}
	c.out.Model, c.rest.Model = cmp.Or(c.model, named), nil
	if c.out.Model == "" && !c.unvalidated {
		return &Error{Pointer: "/model",
			Problem: "must be set, because neither the request nor an option names a model"}
	}
	if c.stream {
		c.out.Stream = new(true)
		c.out.StreamOptions = &openaiapi.StreamOptions{IncludeUsage: new(true)}
	}
	return nil
}
