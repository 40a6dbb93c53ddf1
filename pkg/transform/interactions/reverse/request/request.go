package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
)

// FromGemini converts a generateContent request to a request for an interaction. The report lists
// what was added, approximated or lost, with JSON pointers into in. The package comment describes
// the conversion.
//
// The result passes [interactions.ValidateRequest], unless [WithoutValidation] is given. The error
// is an *[Error]. It says which part of the request has no counterpart at all. FromGemini returns
// the report up to that point with an error too. The result shares memory with in.
func FromGemini(in *geminiapi.GenerateContentRequest,
	opts ...Option) (*interactionsapi.CreateInteractionRequest, report.Report, error) {
	if in == nil {
		return nil, nil, &Error{Problem: "there is no request"}
	}
	c := converter{options: option.New[options](opts), in: in, rest: *in,
		out: &interactionsapi.CreateInteractionRequest{}}
	c.rest.Contents, c.rest.GenerationConfig = nil, nil
	c.config = jsonx.Deref(in.GenerationConfig)
	for _, step := range conversions {
		if err := step(&c); err != nil {
			return nil, c.report, err
		}
	}
	return c.out, c.report, nil
}

// conversions are the steps of a conversion, in order.
var conversions = [...]func(*converter) error{
	(*converter).setModel,
	(*converter).setInstruction,
	(*converter).setTools,
	(*converter).setToolChoice,
	(*converter).setGeneration,
	(*converter).setFormats,
	(*converter).setInput,
	(*converter).setService,
	(*converter).setStorage,
	(*converter).loseAll,
	(*converter).validate,
}

// converter converts one request.
type converter struct {
	options
	in  *geminiapi.GenerateContentRequest
	out *interactionsapi.CreateInteractionRequest
	// rest and config hold the members that no step has converted yet. Each step removes what it
	// converts. The remainder is lost.
	rest   geminiapi.GenerateContentRequest
	config geminiapi.GenerationConfig
	// generation holds the settings of the result.
	generation interactionsapi.GenerationConfig
	traits     *models.Traits
	// instruction is the instruction if it belongs to the input.
	instruction string
	report      report.Report
}

// record is a record of Gemini's API.
type record interface{ IsEmpty() bool }

const detailNoCounterpart = "an interaction has no member for it"

// loseRest reports the remaining members of a record at a pointer.
func (c *converter) loseRest(at string, rest record) {
	if !rest.IsEmpty() {
		unshown.Add(&c.report, at, rest, unshown.Nothing, detailNoCounterpart)
	}
}

// loseAll reports what no step has converted.
func (c *converter) loseAll() error {
	c.loseRest("", &c.rest)
	c.loseRest(configPointer, &c.config)
	return nil
}
