package chatupstream

import (
	"net/http"
	"net/url"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
)

// listModels answers with the models of the server, all on one page.
func (c *call) listModels() (*http.Response, error) {
	reply, err := c.send(http.MethodGet, "/models", nil)
	if err != nil {
		return nil, err
	}
	body, err := c.read(reply)
	if err != nil {
		return nil, err
	}
	list, err := openai.DecodeModels(body)
	if err != nil {
		return nil, badAnswer(err)
	}
	out := geminiapi.ListModelsResponse{}
	for i := range list.Data {
		out.Models = append(out.Models, c.modelOf(&list.Data[i]))
	}
	return answerWith(c.request, &out)
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
	model, err := openai.DecodeModel(body)
	if err != nil {
		return nil, badAnswer(err)
	}
	return answerWith(c.request, new(c.modelOf(model)))
}

// modelOf returns a model in Gemini's form. What it can do no server tells.
func (c *call) modelOf(m *openaiapi.Model) geminiapi.Model {
	methods := []string{"generateContent", "streamGenerateContent"}
	if c.Estimates {
		methods = append(methods, "countTokens")
	}
	return geminiapi.Model{Name: new("models/" + m.ID), DisplayName: &m.ID, SupportedGenerationMethods: append(methods, "embedContent")}
}

func badAnswer(err error) error {
	return &refusalError{newError(http.StatusBadGateway, geminiapi.ErrorStatusUnavailable, "the upstream's answer makes no sense: "+err.Error())}
}
