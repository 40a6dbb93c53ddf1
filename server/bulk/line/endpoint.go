package line

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/internal/unknownmember"
	"github.com/go-json-experiment/json/jsontext"
)

// endpoint is a path for lines of OpenAI's format.
type endpoint struct {
	url string
	// check decodes a body, and optionally checks the rules of its form.
	check func(body []byte, validates bool) (asked, error)
}

// asked holds the request of a line: a model, and for embeddings the number of texts.
type asked struct {
	model string
	texts int
}

// embeddingsURL is the path of embedding requests, which belong to no form.
const embeddingsURL = "/v1/embeddings"

// endpointsOf returns the paths of the forms, and the path of embeddings.
func endpointsOf(forms transform.Forms) []endpoint {
	var out []endpoint
	for _, f := range forms {
		out = append(out,
			endpoint{f.Paths[0],
				func(body []byte, validates bool) (asked,
					error) {
					return checkForm(f, body, validates)
				}})
	}
	return append(out, endpoint{embeddingsURL, checkEmbeddings})
}

func findEndpoint(endpoints []endpoint, url string) *endpoint {
	for i := range endpoints {
		if endpoints[i].url == url {
			return &endpoints[i]
		}
	}
	return nil
}

func urls(endpoints []endpoint) string {
	names := make([]string, len(endpoints))
	for i, e := range endpoints {
		names[i] = e.url
	}
	return strings.Join(names, ", ")
}

// checkForm checks a request of a form. It refuses a request whose answer would not be one body.
func checkForm(f *transform.Form, body []byte, validates bool) (asked, error) {
	r, err := f.Decode(body)
	if err != nil {
		return asked{}, err
	}
	if pointer := r.NotWhole(); pointer != "" {
		return asked{model: r.Model()},
			&memberError{pointer, "must not be true; bulk jobs do not stream"}
	}
	if validates {
		if err = r.CheckMembers(); err == nil {
			err = r.Validate()
		}
	}
	return asked{model: r.Model()}, err
}

// memberError reports a body member that a bulk job does not support.
type memberError struct{ pointer, reason string }

func (e *memberError) Error() string { return "line: " + e.pointer + ": " + e.reason }

// Location returns the pointer. The offset is not known.
func (e *memberError) Location() (pointer string, offset int64) { return e.pointer, -1 }

// Reason returns what is wrong with the member.
func (e *memberError) Reason() string { return e.reason }

func checkEmbeddings(body []byte, validates bool) (asked, error) {
	r, err := openai.DecodeEmbeddingRequest(body)
	if err != nil {
		return asked{}, err
	}
	texts := textsIn(r)
	if validates {
		if m := unknownmember.InEmbedding(r); m != nil {
			err = m
		} else {
			err = checkTexts(r, texts)
		}
	}
	return asked{model: r.Model, texts: texts}, err
}

// textsIn returns the number of requested vectors, for example 2 for ["a","b"]. A list of numbers
// is one text, because the numbers are its token ids. An invalid input counts as one.
func textsIn(r *openaiapi.CreateEmbeddingRequest) int {
	elements, _ := r.Input.AsValue()
	for _, element := range elements {
		if value, isOther := element.AsValue(); !isOther || value.Kind() != jsontext.KindNumber {
			return len(elements)
		}
	}
	return 1
}

// maxTextsOfRequest is the number of texts that OpenAI embeds at once.
const maxTextsOfRequest = 2048

// checkTexts checks that the gateway accepts the input of an embedding request: one text, or
// several.
func checkTexts(r *openaiapi.CreateEmbeddingRequest, texts int) error {
	text, isText := r.Input.AsString()
	elements, _ := r.Input.AsValue()
	switch {
	case text == "" && (isText || len(elements) == 0):
		return &memberError{"/input", "must be a text, or a list with at least one text"}
	case texts > maxTextsOfRequest:
		return &memberError{"/input",
			"must have at most " + strconv.Itoa(maxTextsOfRequest) + " texts"}
	}
	for i, element := range elements {
		if text, isText := element.AsString(); !isText || text == "" {
			return &memberError{"/input/" + strconv.Itoa(i),
				"must be a non-empty text; Gemini does not accept token ids"}
		}
	}
	return nil
}

// checkGemini checks a request of Gemini's format. The model may be given from outside.
func checkGemini(body []byte, model string, validates bool) (asked, error) {
	r, err := gemini.DecodeRequest(body)
	if err != nil {
		return asked{}, err
	}
	if model == "" {
		model = jsonx.Deref(r.Model)
	}
	model = strings.TrimPrefix(model, "models/")
	if validates {
		r.Model = nil // the model is in the address, and must match the other lines
		err = gemini.ValidateRequest(r, gemini.ForModel(model))
	}
	return asked{model: model}, err
}

// located is an error with a location in a body.
type located interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

// asProblem converts an error of a request to a problem at a location in its line.
func asProblem(place string, err error) *Problem {
	if err == nil {
		return nil
	}
	p := problemOf(CodeInvalidRequest, place, err)
	return &p
}

// problemOf returns the first finding of an error, and the number of further ones.
func problemOf(code, place string, err error) Problem {
	p := Problem{Code: code, Param: place, Message: err.Error()}
	var at located
	if !errors.As(err, &at) {
		return p
	}
	pointer, offset := at.Location()
	p.Param, p.Message = place+pointer, at.Reason()
	if place == "" && offset >= 0 { // the input is not JSON
		p.Message = "byte " + strconv.FormatInt(offset+1, 10) + ": " + p.Message
	}
	if invalid, ok := errors.AsType[*validation.Error](err); ok && len(invalid.Violations) > 1 {
		p.Message += ", and " + strconv.Itoa(len(invalid.Violations)-1) + " more"
	}
	return p
}
