package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/transform"
)

// ToGemini converts the request for a completion into one that Gemini takes.
//
// What Gemini can express is carried over; the report names everything else, with JSON pointers into
// in. What depends on the model (how thinking is asked for, whether a schema must be simplified) is
// decided by the table of [models.TraitsOf].
//
// The messages of the model that package openai made of an answer or of a stream, returned with their
// extra_content, become the model's turn again, exactly. The members of extra_content that only tell
// about an answer, such as its sources, are reported as approximated: no request repeats them.
//
// The result is a request that [gemini.ValidateRequest] finds nothing wrong with, unless
// [WithoutValidation] is given. The error is an *[Error], which says where in the request
// something has no counterpart at all. The report is returned beside an error too, as far as it got.
// The result shares memory with in.
func ToGemini(in *openaiapi.CreateChatCompletionRequest, opts ...Option) (*geminiapi.GenerateContentRequest, transform.Report, error) {
	c := converter{options: newOptions(opts), in: in, out: &geminiapi.GenerateContentRequest{}}
	if in == nil {
		return nil, nil, &Error{Problem: "there is no request"}
	}
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
	(*converter).setExtraBody,
	(*converter).setMessages,
	(*converter).readToolChoice,
	(*converter).setTools,
	(*converter).setToolChoice,
	(*converter).setGeneration,
	(*converter).avoidRefusals,
	(*converter).setOthers,
	(*converter).validate,
}

// converter converts one request.
type converter struct {
	options
	in     *openaiapi.CreateChatCompletionRequest
	out    *geminiapi.GenerateContentRequest
	traits models.Traits
	report transform.Report

	generation geminiapi.GenerationConfig // of the result, unless extra_body has one

	extraBodyPointers map[string]string // of the members of extra_body, by googleMember.key
	nativeTools       []geminiapi.Tool  // of extra_body
	streamArguments   *bool             // of extra_body

	choice toolChoice // which functions are to be called

	messages []int // the first message of each of the contents
}

// setModel names the model as the Gemini API does in a request. On Vertex AI it is only in the address.
func (c *converter) setModel() error {
	name := c.model
	if name == "" {
		name = c.in.Model
	}
	c.traits = models.TraitsOf(name)
	switch {
	case c.model != "" && c.in.Model != "" && c.model != c.in.Model:
		c.report.Add(transform.Approximated, "/model", "another model was set")
	case c.vertex && c.in.Model != "":
		c.report.Add(transform.Approximated, "/model", "the address of the call names the model")
	case c.in.Model != "" && !models.IsGoogles(c.in.Model):
		c.report.Add(transform.Approximated, "/model", "not known as a model of Google's; sent under that name")
	}
	if name != "" && !c.vertex {
		c.out.Model = new(modelResource(name))
	}
	return nil
}

// modelResource returns the resource name of a model. Addresses of Google's that know several makers
// of models put "google/" in front of an id, and clients that know several servers "gemini/".
func modelResource(name string) string {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "google/"), "gemini/")
	if strings.Contains(name, "/") {
		return name
	}
	return "models/" + name
}
