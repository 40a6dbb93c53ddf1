package gateway

import (
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/gen/anthropicserver"
	"github.com/gemwire/gemwire/gen/openaiserver"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/go-chi/chi/v5"
)

// routes add the paths of all forms. It is never written to.
var routes = [...]func(chi.Router, *setup){openAIRoutes, anthropicRoutes, nativeRoutes, formRoutes}

// newRouter returns what knows the form of a path.
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

// serveProblem refuses a request whatever it is.
func (s *setup) serveProblem(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	s.serve(w, r, formOfClient(r), func(*call) *problem.Problem { return p })
}

// refuseParameter refuses a query that is not as a description has it.
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
	s.serveProblem(w, r, problem.Invalid("", "/"+name, name+": its value is of another type than it must be"))
}

// formOfClient returns the form in which who asks reads problems, where there is no operation.
func formOfClient(r *http.Request) *form {
	if isFromAnthropicsClient(r) {
		return &anthropicForm
	}
	return &openAIForm
}
