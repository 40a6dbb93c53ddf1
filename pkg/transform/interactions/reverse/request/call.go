package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/internal/steps"
	"github.com/go-json-experiment/json/jsontext"
)

// call is a function call of the model.
type call struct {
	id       string // the id in the interaction
	wireID   string // Gemini's id, or ""
	name     string
	answered bool
}

// call converts a function call. Each call gets an id of its own.
func (b *input) call(p geminiapi.Part, at string) {
	function := *p.FunctionCall
	p.FunctionCall = &function
	made := call{wireID: jsonx.Deref(function.ID), name: jsonx.Deref(function.Name)}
	switch made.id = made.wireID; {
	case made.id == "":
		made.id = idAt(at)
		b.report.Add(report.Added, at+"/functionCall/id", "the id of the call, which results need")
	case b.hasCall(made.id):
		made.id = idAt(at)
		b.report.Add(report.Approximated, at+"/functionCall/id",
			"replaced, because another call has it too")
	}
	function.ID = &made.id
	if jsonx.NonNull(function.Args) == nil {
		function.Args = jsontext.Value("{}")
	}
	b.sign(&p, at)
	b.calls = append(b.calls, made)
	b.steps.Add(&p, at)
}

func (b *input) hasCall(id string) bool {
	for i := range b.calls {
		if b.calls[i].id == id {
			return true
		}
	}
	return false
}

// result converts the result of a function. It names its call by the id.
func (b *input) result(p geminiapi.Part, at string) {
	response := *p.FunctionResponse
	p.FunctionResponse = &response
	id, pointer := jsonx.Deref(response.ID), at+"/functionResponse/id"
	switch c := b.answeredBy(id, jsonx.Deref(response.Name)); {
	case c != nil && c.id != id:
		c.answered = true
		response.ID = &c.id
		if id == "" {
			b.report.Add(report.Added, pointer,
				"the id of the first call of its name without a result")
		} else {
			b.report.Add(report.Approximated, pointer, "replaced by the id of its call")
		}
	case c != nil:
		c.answered = true
	case id == "":
		response.ID = new(idAt(at))
		b.report.Add(report.Added, pointer, "an id, because no call of its name waits for a result")
	}
	if jsonx.NonNull(response.Response) == nil {
		response.Response = jsontext.Value("{}")
	}
	if len(response.Parts) > 0 && !b.traits.FunctionResponseParts {
		b.separateMedia(p, at)
		return
	}
	b.steps.Add(&p, at)
}

// answeredBy returns the call that a result belongs to: the call of its id, else the first call of
// its name without a result. It returns nil if no such call waits.
func (b *input) answeredBy(id, name string) *call {
	if id != "" {
		for i := range b.calls {
			if c := &b.calls[i]; !c.answered && c.wireID == id {
				return c
			}
		}
	}
	for i := range b.calls {
		if c := &b.calls[i]; !c.answered && c.name == name {
			return c
		}
	}
	return nil
}

// separateMedia converts a result with media for models before Gemini 3, which accept only texts in
// results. The media follow as input of the user.
func (b *input) separateMedia(p geminiapi.Part, at string) {
	media := p.FunctionResponse.Parts
	response := *p.FunctionResponse
	response.Parts = nil
	p.FunctionResponse = &response
	b.steps.Add(&p, at)
	wasOfUser := b.steps.OfUser
	b.steps.OfUser = true
	for i := range media {
		m, at := &media[i], at+"/functionResponse/parts/"+strconv.Itoa(i)
		b.report.Add(report.Approximated, at,
			"moved after the result, because the model accepts no media in results")
		b.steps.Add(&geminiapi.Part{InlineData: (*geminiapi.Blob)(m.InlineData),
			FileData: (*geminiapi.FileData)(m.FileData), MediaProcessing: m.MediaProcessing,
			Unknown: steps.WithoutExtension(m.Unknown)}, at)
	}
	b.steps.OfUser = wasOfUser
}
