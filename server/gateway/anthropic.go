package gateway

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
	"github.com/go-chi/chi/v5"
)

// anthropicForm is Anthropic's API, of which each operation is a form of its own. It answers for other paths of its
// clients.
var anthropicForm = anthropicOperation("")

// anthropicOperation returns the form of an operation.
func anthropicOperation(name string) form { return formOf(messages.Form(), name) }

// anthropicRoutes adds the paths of Anthropic's API but those of models, which are OpenAI's too: those go by who asks.
func anthropicRoutes(router chi.Router, s *setup) {
	router.Head("/", s.serveWarmUp)
	router.Head("/api/hello", s.serveWarmUp)
}

// anthropicAPI returns what reads the parameters of operations.
func (s *setup) anthropicAPI() *anthropicserver.ServerInterfaceWrapper {
	return &anthropicserver.ServerInterfaceWrapper{Handler: anthropicServer{setup: s}, ErrorHandlerFunc: s.refuseParameter}
}

// anthropicServer has a method for each operation of the description.
type anthropicServer struct {
	*setup
	anthropicserver.Unimplemented // the operations of forms, whose routes are added later
}

// anthropicModelsForm lists the models for Anthropic's clients.
var anthropicModelsForm = anthropicOperation("models")

// ListModels lists a page of the models that the client may use.
func (s anthropicServer) ListModels(w http.ResponseWriter, r *http.Request, params anthropicapi.ListModelsParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		page, p := modellist.PageOf(params)
		if p != nil {
			return p
		}
		names, p := c.modelNames()
		if p != nil {
			return p
		}
		names = slices.DeleteFunc(names, func(name string) bool { return c.permitModel(name) != nil })
		if strings.HasPrefix(r.UserAgent(), message.ClaudeCode) {
			names = append(names, message.NamesForClaudeCode(names)...)
		}
		list := page.Of(names, c.limitsOfModel)
		return c.writeJSON(func(dst []byte) ([]byte, error) { return anthropic.AppendModels(dst, list) })
	})
}

// RetrieveModel describes a model.
func (s anthropicServer) RetrieveModel(w http.ResponseWriter, r *http.Request, name string, _ anthropicapi.RetrieveModelParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		if p := c.askFor(message.ModelOf(name)); p != nil {
			return p
		}
		if p := c.findModel(c.end.Model); p != nil {
			return p
		}
		model := modellist.Describe(name, c.limitsOfModel(name))
		return c.writeJSON(func(dst []byte) ([]byte, error) { return anthropic.AppendModel(dst, &model) })
	})
}

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
	return r.Header.Get("Anthropic-Version") != "" || strings.HasPrefix(r.UserAgent(), message.ClaudeCode) ||
		strings.HasPrefix(r.URL.Path, "/v1/messages")
}
