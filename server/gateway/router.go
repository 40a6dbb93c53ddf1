package gateway

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/gen/openaiserver"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/server/gateway/internal/modellist"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn/message"
	"github.com/go-chi/chi/v5"
)

// routes add the paths of all forms. It is read-only.
var routes = [...]func(chi.Router, *setup){openAIRoutes, anthropicRoutes, nativeRoutes, formRoutes,
	organizationRoutes}

// newRouter returns the router that finds the form of a path.
func newRouter(s *setup) http.Handler {
	router := chi.NewRouter()
	for _, add := range routes {
		add(router, s)
	}
	router.NotFound(s.serveNotFound)
	router.MethodNotAllowed(s.serveNotFound)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.sites.IsPreflight(r) { // which has no key
			if r.Body != nil && r.Body != http.NoBody { // or the server would wait for it, for ever
				s.gate.Drain(w, r.Body)
			}
			s.sites.AnswerPreflight(w, r)
			return
		}
		router.ServeHTTP(w, r)
	})
}

// serveNotFound refuses a path that no form has.
func (s *setup) serveNotFound(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, formOfClient(r), func(c *call) *problem.Problem { return problem.NotServed(r) })
}

// serveProblem refuses every request with the problem.
func (s *setup) serveProblem(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	s.serve(w, r, formOfClient(r), func(*call) *problem.Problem { return p })
}

// refuseParameter refuses a query parameter that does not match the API description.
func (s *setup) refuseParameter(w http.ResponseWriter, r *http.Request, err error) {
	name := ""
	if asked, ok := errors.AsType[*openaiserver.InvalidParamFormatError](err); ok {
		name = asked.ParamName
	} else if asked, ok := errors.AsType[*anthropicserver.InvalidParamFormatError](err); ok {
		name = asked.ParamName
	}
	if name == "" {
		s.serveProblem(w, r, problem.Invalid("", "", err.Error()))
		return
	}
	s.serveProblem(w, r,
		problem.Invalid("", "/"+name, name+": the value has the wrong type"))
}

// formOfClient returns the form in which this client expects problems if the path has no operation.
func formOfClient(r *http.Request) *form {
	if isFromAnthropicsClient(r) {
		return &anthropicForm
	}
	return &openAIForm
}

// openAIForm is OpenAI's API. Each of its operations is a form of its own, in a file of its own. It
// also answers all other paths.
var openAIForm = openAIOperation("")

// openAIOperation returns the form of an operation.
func openAIOperation(name string) form { return formOf(chat.Form(), name) }

const headerRequestID = "X-Request-Id"

// openAIRoutes adds the paths of OpenAI's API, and the same paths below Google's own endpoint for
// it.
func openAIRoutes(router chi.Router, s *setup) {
	for _, base := range []string{"/v1", "/v1beta/openai"} {
		server := openAIServer{setup: s}
		openaiserver.HandlerWithOptions(server, openaiserver.ChiServerOptions{
			BaseURL: base, BaseRouter: router, ErrorHandlerFunc: s.refuseParameter,
		})
		conversationRoutes(router, base, server)
		router.Get(base+"/models/*", server.retrieveLongName)
		router.Head(base+"/models", server.ListModels)
		router.Head(base+"/models/*", server.retrieveLongName)
	}
	router.HandleFunc("/v1beta/openai/*", s.serveNotFound)
}

// openAIServer has a method for each operation of the API description.
type openAIServer struct {
	*setup
	openaiserver.Unimplemented
}

// CreateChatCompletion answers if the table of forms has no chat_completions. Otherwise the form's
// route replaces it.
func (s openAIServer) CreateChatCompletion(w http.ResponseWriter, r *http.Request) {
	s.serveNotFound(w, r)
}

// CreateResponse answers if the table of forms has no Responses API.
func (s openAIServer) CreateResponse(w http.ResponseWriter,
	r *http.Request) {
	s.serveNotFound(w, r)
}

// anthropicForm is Anthropic's API. Each of its operations is a form of its own. It also answers
// other paths that Anthropic's clients request.
var anthropicForm = anthropicOperation("")

// anthropicOperation returns the form of an operation.
func anthropicOperation(name string) form { return formOf(messages.Form(), name) }

// anthropicRoutes adds the paths of Anthropic's API, except the paths of models. OpenAI's API has
// the same paths, so those depend on the client.
func anthropicRoutes(router chi.Router, s *setup) {
	router.Head("/", s.serveWarmUp)
	router.Head("/api/hello", s.serveWarmUp)
}

// anthropicServer has a method for each operation of the API description.
type anthropicServer struct {
	*setup
	anthropicserver.Unimplemented // the operations of forms, whose routes are added later
}

// anthropicModelsForm lists the models for Anthropic's clients.
var anthropicModelsForm = anthropicOperation("models")

// ListModels lists a page of the models that the client may use.
func (s anthropicServer) ListModels(w http.ResponseWriter, r *http.Request,
	params anthropicapi.ListModelsParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		page, p := modellist.PageOf(params)
		if p != nil {
			return p
		}
		names, p := c.modelNames()
		if p != nil {
			return p
		}
		names = slices.DeleteFunc(names,
			func(name string) bool { return c.permitModel(name) != nil })
		if strings.HasPrefix(r.UserAgent(), message.ClaudeCode) {
			names = append(names, message.NamesForClaudeCode(names)...)
		}
		list := page.Of(names, c.limitsOfModel)
		return c.writeTagged(func(dst []byte) ([]byte,
			error) {
			return anthropic.AppendModels(dst, list)
		})
	})
}

// RetrieveModel returns the metadata of a model.
func (s anthropicServer) RetrieveModel(w http.ResponseWriter, r *http.Request, name string,
	_ anthropicapi.RetrieveModelParams) {
	s.serve(w, r, &anthropicModelsForm, func(c *call) *problem.Problem {
		if p := c.askFor(message.ModelOf(name)); p != nil {
			return p
		}
		if p := c.findModelOrHint(c.end.Model); p != nil {
			return p
		}
		model := modellist.Describe(name, c.limitsOfModel(name))
		return c.writeJSON(func(dst []byte) ([]byte,
			error) {
			return anthropic.AppendModel(dst, &model)
		})
	})
}

// serveWarmUp answers Claude Code, which opens its connection before it sends a request.
func (s *setup) serveWarmUp(w http.ResponseWriter, r *http.Request) {
	s.serve(w, r, &anthropicForm, func(c *call) *problem.Problem {
		c.isAnswered, c.end.Status = true, http.StatusOK
		c.writer.WriteHeader(http.StatusOK)
		return nil
	})
}

// isFromAnthropicsClient reports whether a client of Anthropic's API sent the request, if the path
// alone does not show it.
func isFromAnthropicsClient(r *http.Request) bool {
	return r.Header.Get("Anthropic-Version") != "" ||
		strings.HasPrefix(r.UserAgent(), message.ClaudeCode) ||
		strings.HasPrefix(r.URL.Path, "/v1/messages")
}
