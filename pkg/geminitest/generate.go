package geminitest

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/answer"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/framing"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
)

// GenerateContent answers in one piece.
func (a *api) GenerateContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.generateContent(w, r)
}

// GenerateContentByTunedModel is GenerateContent for a model that was tuned.
func (a *api) GenerateContentByTunedModel(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID) {
	a.generateContent(w, r)
}

func (a *api) generateContent(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	if why := a.check(request); why != nil {
		refuse(w, r, why)
		return
	}
	a.write(w, r, answer.To(request.Content, request.Model))
}

// write writes an answer, or an error where it has no form in JSON.
func (a *api) write(w http.ResponseWriter, r *http.Request, response *geminiapi.GenerateContentResponse) {
	request := received.From(r)
	payload, err := gemini.EncodeResponse(response)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = framing.WriteWhole(w, http.StatusOK, framing.InServerOrder(payload, request.Backend == models.VertexAI)) // or the client is gone
}

// StreamGenerateContent answers in chunks.
func (a *api) StreamGenerateContent(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID, _ geminiapi.StreamGenerateContentParams) {
	a.streamGenerateContent(w, r)
}

// StreamGenerateContentByTunedModel is StreamGenerateContent for a model that was tuned.
func (a *api) StreamGenerateContentByTunedModel(w http.ResponseWriter, r *http.Request, _ geminiapi.ModelID, _ geminiapi.StreamGenerateContentByTunedModelParams) {
	a.streamGenerateContent(w, r)
}

func (a *api) streamGenerateContent(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	if why := a.check(request); why != nil {
		refuse(w, r, why)
		return
	}
	stream := framing.NewStream(w, framing.FormOf(r))
	for _, chunk := range []*geminiapi.GenerateContentResponse{answer.To(request.Content, request.Model)} {
		payload, err := gemini.EncodeResponse(chunk)
		if err != nil || stream.Chunk(framing.InServerOrder(payload, request.Backend == models.VertexAI)) != nil {
			return // The client is gone.
		}
	}
	_ = stream.Close()
}
