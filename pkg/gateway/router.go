package gateway

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// routes add the paths of all forms. It is never written to.
var routes = [...]func(chi.Router, *generation){openAIRoutes, nativeRoutes}

// newRouter returns what knows the form of a path.
func newRouter(g *generation) http.Handler {
	router := chi.NewRouter()
	for _, add := range routes {
		add(router, g)
	}
	router.NotFound(g.serveNotFound)
	router.MethodNotAllowed(g.serveNotFound)
	return router
}

// serveNotFound refuses a path that no form has.
func (g *generation) serveNotFound(w http.ResponseWriter, r *http.Request) {
	g.serve(w, r, &openAIForm, func(c *call) *Problem { return notServed(r) })
}

// serveProblem refuses a request whatever it is.
func (g *generation) serveProblem(w http.ResponseWriter, r *http.Request, p *Problem) {
	g.serve(w, r, &openAIForm, func(*call) *Problem { return p })
}
