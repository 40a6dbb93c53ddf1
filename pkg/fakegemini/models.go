package fakegemini

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/store"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/go-json-experiment/json/jsontext"
)

// modelOrder is the order of the members of a model in recorded lists.
var modelOrder = []string{
	"name", "version", "displayName", "description", "inputTokenLimit", "outputTokenLimit",
	"supportedGenerationMethods",
	"temperature", "topP", "topK", "maxTemperature", "thinking",
}

// The page sizes of a list of models.
const (
	defaultModelPage = 50
	maxModelPage     = 1000
)

// ListModels lists Google's models, and the models of [WithModels].
func (a *api) ListModels(w http.ResponseWriter, r *http.Request,
	params geminiapi.ListModelsParams) {
	page := pageOf(params.PageSize, params.PageToken, defaultModelPage, maxModelPage)
	last, ok := store.NameIn(page.Token)
	begun := last == ""
	var listed []jsontext.Value
	next := ""
	for _, model := range a.catalog.List() {
		switch {
		case !begun:
			begun = *model.Name == last
		case len(listed) == page.Size:
			next = store.Token(last)
		default:
			listed, last = append(listed, payloadOf(&model, modelOrder)), *model.Name
		}
	}
	if !ok || !begun {
		refuse(w, r, refusal.InvalidArgument())
		return
	}
	writeList(w, "models", listed, next)
}

// GetModel describes a model.
func (a *api) GetModel(w http.ResponseWriter, r *http.Request, id geminiapi.ModelID) {
	if !a.catalog.Has(id, models.GeminiAPI, "") {
		refuse(w, r, refusal.NoSuchModel("models/"+id, received.From(r).Version))
		return
	}
	writeResource(w, payloadOf(a.catalog.Describe(id), modelOrder))
}
