package geminitest

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/answer"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/framing"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/received"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/refusal"
	"github.com/go-json-experiment/json/jsontext"
)

// api is the last room: it checks requests as the real server does, and answers them.
type api struct {
	settings *settings
}

func newAPI(s *settings) http.Handler { return &api{settings: s} }

// ServeHTTP answers by the operation that the path names.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := received.From(r)
	switch request.Operation {
	case "generateContent":
		a.generateContent(w, request)
	case "streamGenerateContent":
		a.streamGenerateContent(w, r, request)
	default:
		refuse(w, refusal.New(geminiapi.ErrorStatusNotFound, "Requested entity was not found."))
	}
}

func (a *api) generateContent(w http.ResponseWriter, request *received.Request) {
	payload, why := a.answer(request)
	if why != nil {
		refuse(w, why)
		return
	}
	_ = framing.WriteWhole(w, http.StatusOK, payload) // or the client is gone
}

func (a *api) streamGenerateContent(w http.ResponseWriter, r *http.Request, request *received.Request) {
	stream := framing.NewStream(w, framing.FormOf(r))
	payload, why := a.answer(request)
	if why != nil {
		envelope, _ := why.Envelope()
		_ = stream.Error(why.HTTPStatus, envelope)
		return
	}
	if stream.Chunk(payload) == nil {
		_ = stream.Close()
	}
}

func (a *api) answer(request *received.Request) (jsontext.Value, *refusal.Refusal) {
	if request.Content == nil {
		return nil, refusal.New(geminiapi.ErrorStatusInvalidArgument, "Request contains an invalid argument.")
	}
	payload, err := gemini.EncodeResponse(answer.To(request.Content, request.Model))
	if err != nil {
		return nil, refusal.New(geminiapi.ErrorStatusInternal, "Internal error encountered.")
	}
	return framing.InServerOrder(payload, request.Backend == models.VertexAI), nil
}
