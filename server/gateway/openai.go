package gateway

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/openaiserver"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-chi/chi/v5"
)

// openAIForm is OpenAI's API, of which each operation is a form of its own, with a file. It answers for all other paths.
var openAIForm = openAIOperation("")

// openAIOperation returns the form of an operation.
func openAIOperation(name string) form { return formOf(chat.Form(), name) }

const headerRequestID = "X-Request-Id"

// openAIRoutes adds the paths of OpenAI's API, also where Google's own endpoint of it has them.
func openAIRoutes(router chi.Router, s *setup) {
	for _, base := range []string{"/v1", "/v1beta/openai"} {
		server := openAIServer{setup: s}
		openaiserver.HandlerWithOptions(server, openaiserver.ChiServerOptions{
			BaseURL: base, BaseRouter: router, ErrorHandlerFunc: s.refuseParameter,
		})
		conversationRoutes(router, base, server)
		router.Get(base+"/models/*", server.retrieveLongName)
	}
	router.HandleFunc("/v1beta/openai/*", s.serveNotFound)
}

// openAIServer has a method for each operation of the description.
type openAIServer struct {
	*setup
	openaiserver.Unimplemented
}

// CreateChatCompletion answers where the table of forms has no chat_completions. The route of the form replaces it.
func (s openAIServer) CreateChatCompletion(w http.ResponseWriter, r *http.Request) {
	s.serveNotFound(w, r)
}

// CreateResponse answers where the table of forms has no Responses API.
func (s openAIServer) CreateResponse(w http.ResponseWriter, r *http.Request) { s.serveNotFound(w, r) }
