package fakegemini

import (
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/geminiserver"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/batch"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/catalog"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/filestore"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/framing"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/received"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/refusal"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/store"
	"github.com/go-chi/chi/v5"
)

// api is the last step of a request: it checks requests like the real server and answers them. Each
// operation is a method, in the file of its resource.
type api struct {
	settings *settings
	catalog  *catalog.Catalog
	router   http.Handler
	// front receives the requests of a batch: the script before the api, or the api itself.
	front http.Handler

	caches  *store.Store[*geminiapi.CachedContent]
	files   *filestore.Store
	batches *store.Store[*batch.Batch]

	interactions *store.Store[*storedInteraction]
}

// bases are the prefixes of the paths in the description. The prefixes of the Gemini API come
// first. The prefixes of Vertex AI follow: for models of a project, for models in express mode, and
// for other resources of a project.
var bases = []string{
	"/{version}",
	"/upload/{version}",
	"/download/{version}",
	"/{version}/projects/{project}/locations/{location}/publishers/google",
	"/{version}/publishers/google",
	"/{version}/projects/{project}/locations/{location}",
}

func newAPI(s *settings) *api {
	a := &api{
		settings: s,
		catalog:  catalog.New(s.now, s.models),
		caches:   store.New[*geminiapi.CachedContent]("cachedContent", maxResources),
		files:    filestore.New(s.processingTime, filestore.MaxTotal),
		batches:  store.New[*batch.Batch]("batch", maxResources),

		interactions: store.New[*storedInteraction]("interaction", maxResources),
	}
	router := chi.NewRouter()
	router.NotFound(noSuchPage)
	router.MethodNotAllowed(noSuchPage)
	for _, base := range bases {
		geminiserver.HandlerWithOptions(a,
			geminiserver.ChiServerOptions{BaseURL: base, BaseRouter: router,
				ErrorHandlerFunc: refuseParameter})
	}
	a.routeInteractions(router)
	const endpoint = "/{version}/projects/{project}/locations/{location}/endpoints/{model}"
	router.Post(endpoint+":generateContent", a.generateContent)
	router.Post(endpoint+":streamGenerateContent", a.streamGenerateContent)
	a.router, a.front = router, a
	return a
}

// ServeHTTP checks the caller's credential and calls the operation that the path names.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := a.identify(r); why != nil {
		refuse(w, r, why)
		return
	}
	a.router.ServeHTTP(w, r)
}

// refuse writes a refusal: as the whole answer, or in the form of a stream.
func refuse(w http.ResponseWriter, r *http.Request, why *refusal.Refusal) {
	envelope, err := why.Envelope()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	request := received.From(r)
	if request.Stream {
		// or the client has disconnected
		_ = framing.NewStream(w, framing.FormOf(r)).Error(why.HTTPStatus, envelope)
		return
	}
	_ = framing.WriteWhole(w, why.HTTPStatus, envelope)
}

// refuseParameter refuses a request with an unreadable parameter.
func refuseParameter(w http.ResponseWriter, r *http.Request, _ error) {
	refuse(w, r, refusal.InvalidArgument())
}

// noSuchPage answers paths that no Google service has with an HTML page.
func noSuchPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte("<!DOCTYPE html>\n<html lang=en>\n  <meta charset=utf-8>\n  <title>Error 404 (Not Found)!!1</title>\n" +
		"  <p><b>404.</b> <ins>That’s an error.</ins>\n  <p>The requested URL was not found on this server.  <ins>That’s all we know.</ins>\n"))
}
