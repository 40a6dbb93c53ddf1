package request

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
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
	if jsonx.NonNull(response.Response) == nil {
		response.Response = jsontext.Value("{}")
	}
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
	case b.previous == "" && !b.hasCall(id):
		b.convertOrphan(p, at)
		return
	case id == "":
		response.ID = new(idAt(at))
		b.report.Add(report.Added, pointer, "an id, because no call of its name waits for a result")
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

// located is a part and its pointer.
type located struct {
	geminiapi.Part
	at string
}

// separateMedia converts a result with media for models before Gemini 3, which accept none in
// results.
func (b *input) separateMedia(p geminiapi.Part, at string) {
	response := *p.FunctionResponse
	b.keepMedia(response.Parts, at)
	response.Parts = nil
	p.FunctionResponse = &response
	b.steps.Add(&p, at)
}

// keepMedia keeps the media of a result for the end of its content.
func (b *input) keepMedia(parts []geminiapi.FunctionResponsePart, at string) {
	for i := range parts {
		m, at := &parts[i], at+"/functionResponse/parts/"+strconv.Itoa(i)
		b.report.Add(report.Approximated, at, "moved after the results, as input of the user")
		b.media = append(b.media, located{at: at, Part: geminiapi.Part{
			InlineData: (*geminiapi.Blob)(m.InlineData), FileData: (*geminiapi.FileData)(m.FileData),
			MediaProcessing: m.MediaProcessing, Unknown: m.Unknown}})
	}
}

// addMedia adds the media of results as input of the user.
func (b *input) addMedia() {
	ofUser := b.steps.OfUser
	b.steps.OfUser = true
	for i := range b.media {
		b.steps.Add(&b.media[i].Part, b.media[i].at)
	}
	b.steps.OfUser, b.media = ofUser, nil
}

// convertOrphan converts a result without a call to a text of the user, for example if a client has
// cut off the beginning of the conversation. Google refuses a result whose call it does not know.
func (b *input) convertOrphan(p geminiapi.Part, at string) {
	b.report.Add(report.Approximated, at+"/functionResponse",
		"converted to a text of the user, because its call is not in the conversation")
	response := p.FunctionResponse
	text := "Result of the function " + strconv.Quote(jsonx.Deref(response.Name)) + ": " +
		string(response.Response)
	rest := p
	rest.FunctionResponse, rest.Unknown = nil, steps.WithoutExtension(p.Unknown)
	b.loseRest(at, &rest)
	ofUser := b.steps.OfUser
	b.steps.OfUser = true
	b.steps.Add(&geminiapi.Part{Text: &text}, at)
	b.steps.OfUser = ofUser
	b.keepMedia(response.Parts, at)
}

// quoteResults makes lists in results texts, for models before Gemini 3, which refuse lists.
func (b *input) quoteResults(list []interactionsapi.Step, pointers []string) {
	if b.traits.FunctionResponseParts {
		return
	}
	for i := range list {
		s := &list[i]
		if s.Type != interactionsapi.StepTypeFunctionResult ||
			s.Result.Kind() != jsontext.KindBeginArray {
			continue
		}
		quoted, err := jsontext.AppendQuote(nil, s.Result)
		if err != nil { // no decoder returns invalid UTF-8
			continue
		}
		s.Result = quoted
		b.report.Add(report.Approximated, pointers[i]+"/functionResponse/response",
			"converted to a text, because the model refuses lists in results")
	}
}
