package gateway

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/openaiserver"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/chat"
	"github.com/go-chi/chi/v5"
)

// openAIForm is OpenAI's API, of which each operation is a form of its own, with a file. It answers for all other paths.
var openAIForm = openAIOperation("")

// openAIOperation returns the form of an operation.
func openAIOperation(name string) form {
	return form{name: name, idHeader: headerRequestID, timeHeader: "Openai-Processing-Ms", appendProblem: problem.AppendOpenAI}
}

const headerRequestID = "X-Request-Id"

// openAIRoutes adds the paths of OpenAI's API, also where Google's own endpoint of it has them.
func openAIRoutes(router chi.Router, s *setup) {
	for _, base := range []string{"/v1", "/v1beta/openai"} {
		server := openAIServer{s}
		openaiserver.HandlerWithOptions(server, openaiserver.ChiServerOptions{
			BaseURL: base, BaseRouter: router, ErrorHandlerFunc: s.refuseParameter,
		})
		conversationRoutes(router, base, server)
		router.Get(base+"/models/*", server.retrieveLongName)
	}
	router.HandleFunc("/v1beta/openai/*", s.serveNotFound)
}

// openAIServer has a method for each operation of the description.
type openAIServer struct{ *setup }

// chatCompletionsForm is the API that most clients speak.
var chatCompletionsForm = openAIOperation("chat_completions")

// CreateChatCompletion answers a conversation.
func (s openAIServer) CreateChatCompletion(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &chatCompletionsForm, func(c *call) *problem.Problem {
		t, p := chat.Read(c.takeRequest(), c.signing, c.heartbeat == HeartbeatChunk)
		if p != nil {
			return p
		}
		return c.generate(t)
	})
}
