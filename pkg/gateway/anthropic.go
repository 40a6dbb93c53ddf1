package gateway

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/go-chi/chi/v5"
)

// anthropicForm is Anthropic's API, of which each operation is a form of its own. It answers for other paths of its
// clients.
var anthropicForm = anthropicOperation("")

// anthropicOperation returns the form of an operation.
func anthropicOperation(name string) form {
	return form{
		name: name, idHeader: "Request-Id", status: problem.AnthropicStatus, appendProblem: problem.AppendAnthropic, beats: true,
	}
}

// anthropicRoutes adds the paths of Anthropic's API but those of models, which are OpenAI's too: those go by who asks.
func anthropicRoutes(router chi.Router, s *setup) {
	api := s.anthropicAPI()
	router.Post("/v1/messages", api.CreateMessage)
	router.Post("/v1/messages/count_tokens", api.CountTokens)
	router.Head("/", s.serveWarmUp)
	router.Head("/api/hello", s.serveWarmUp)
}

// anthropicAPI returns what reads the parameters of operations.
func (s *setup) anthropicAPI() *anthropicserver.ServerInterfaceWrapper {
	return &anthropicserver.ServerInterfaceWrapper{Handler: anthropicServer{s}, ErrorHandlerFunc: s.refuseParameter}
}

// anthropicServer has a method for each operation of the description.
type anthropicServer struct{ *setup }

// serveWarmUp answers Claude Code, which opens its connection before it has anything to ask.
func (s *setup) serveWarmUp(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &anthropicForm, func(c *call) *problem.Problem {
		c.isAnswered, c.end.Status = true, http.StatusOK
		c.writer.WriteHeader(http.StatusOK)
		return nil
	})
}

// isFromAnthropicsClient reports whether a client of Anthropic's API asks, where a path alone does not tell.
func isFromAnthropicsClient(r *http.Request) bool {
	return r.Header.Get("Anthropic-Version") != "" || strings.HasPrefix(r.UserAgent(), claudeCode) ||
		strings.HasPrefix(r.URL.Path, "/v1/messages")
}
