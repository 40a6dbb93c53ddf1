package fakegemini

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// GenerateContent answers with a whole response.
func (a *api) GenerateContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.generateContent(w, r)
}

// GenerateContentByTunedModel is GenerateContent for a tuned model.
func (a *api) GenerateContentByTunedModel(w http.ResponseWriter, r *http.Request,
	_ geminiapi.ModelID) {
	a.generateContent(w, r)
}

func (a *api) generateContent(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	if why := a.check(request); why != nil {
		refuse(w, r, why)
		return
	}
	payload, err := gemini.EncodeResponse(answer.To(a.question(request)))
	writePayload(w, payload, err)
}

// question is a request to generate content.
func (a *api) question(request *received.Request) answer.Question {
	return answer.Question{
		Request: request.Content, Model: request.Model, Backend: request.Backend,
		When:         a.settings.now(),
		CachedTokens: a.cachedTokens(request),
	}
}

// writePayload writes a whole answer, or an error as JSON.
func writePayload(w http.ResponseWriter, payload jsontext.Value, err error) {
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = framing.WriteWhole(w, http.StatusOK, payload) // fails if the client has disconnected
}

// StreamGenerateContent answers with chunks.
func (a *api) StreamGenerateContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID,
	_ geminiapi.StreamGenerateContentParams) {
	a.streamGenerateContent(w, r)
}

// StreamGenerateContentByTunedModel is StreamGenerateContent for a tuned model.
func (a *api) StreamGenerateContentByTunedModel(w http.ResponseWriter, r *http.Request,
	_ geminiapi.ModelID, _ geminiapi.StreamGenerateContentByTunedModelParams) {
	a.streamGenerateContent(w, r)
}

func (a *api) streamGenerateContent(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	if why := a.check(request); why != nil {
		refuse(w, r, why)
		return
	}
	stream := framing.NewStream(w, framing.FormOf(r))
	for _, chunk := range answer.Chunks(a.question(request)) {
		payload, err := gemini.EncodeResponse(chunk)
		if err != nil || stream.Chunk(payload) != nil {
			return // The client has disconnected.
		}
	}
	_ = stream.Close()
}

// CountTokens counts the tokens of a request.
func (a *api) CountTokens(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	request := received.From(r)
	if why := a.checkCount(request); why != nil {
		refuse(w, r, why)
		return
	}
	payload, err := gemini.EncodeCountTokensResponse(answer.Count(a.question(request)))
	writePayload(w, payload, err)
}
