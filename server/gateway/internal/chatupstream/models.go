package chatupstream

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// listModels answers with all models of the server on one page.
func (c *call) listModels() (*http.Response, error) {
	reply, err := c.send(http.MethodGet, "/models", nil)
	if err != nil {
		return nil, err
	}
	body, err := c.read(reply)
	if err != nil {
		return nil, err
	}
	names, err := namesIn(body)
	if err != nil {
		return nil, badAnswer(err)
	}
	out := geminiapi.ListModelsResponse{}
	for _, name := range names {
		out.Models = append(out.Models, c.modelOf(name))
	}
	return answerWith(c.request, &out)
}

// listedModel is a model in a list. Only its name is used, because servers differ in everything
// else.
type listedModel struct {
	ID string `json:"id"`
}

// errNoModels is returned for a list without model names.
var errNoModels = errors.New("expected a list of models")

// namesIn returns the names in a list of models. Together's server returns the bare list, without
// an object around it.
func namesIn(body []byte) ([]string, error) {
	if !jsontext.Value(body).IsValid() {
		return nil, errNoModels
	}
	list := jsontext.Value(body)
	if list.Kind() == jsontext.KindBeginObject {
		list = jsonx.Member(list, "data")
	}
	if list.Kind() == jsontext.KindNull { // of Ollama's that has none
		return nil, nil
	}
	if list.Kind() != jsontext.KindBeginArray {
		return nil, errNoModels
	}
	var names []string
	for _, element := range jsonx.Elements(list) {
		var model listedModel
		if json.Unmarshal(element, &model) == nil && model.ID != "" {
			names = append(names, model.ID)
		}
	}
	return names, nil
}

func (c *call) model() (*http.Response, error) {
	reply, err := c.send(http.MethodGet, "/models/"+url.PathEscape(c.op.model), nil)
	if err != nil {
		return nil, err
	}
	body, err := c.read(reply)
	if err != nil {
		return nil, err
	}
	var model listedModel
	if err := json.Unmarshal(body, &model); err != nil {
		return nil, badAnswer(errNoModels)
	}
	return answerWith(c.request, new(c.modelOf(cmp.Or(model.ID, c.op.model))))
}

// modelOf returns a model in Gemini's form. Servers do not report what their models can do.
func (c *call) modelOf(name string) geminiapi.Model {
	methods := []string{"generateContent", "streamGenerateContent"}
	if c.Estimates {
		methods = append(methods, "countTokens")
	}
	return geminiapi.Model{Name: new("models/" + name), DisplayName: &name,
		SupportedGenerationMethods: append(methods, "embedContent")}
}

func badAnswer(err error) error {
	return &refusalError{newError(http.StatusBadGateway, geminiapi.ErrorStatusUnavailable,
		"the upstream's answer is invalid: "+err.Error())}
}
