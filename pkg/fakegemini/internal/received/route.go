package received

import (
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Route is what the path of a request says.
type Route struct {
	// Backend is the service whose form the path has.
	Backend models.Backends
	// Version is the first segment: v1beta, v1, v1beta1.
	Version string
	// Resource is the path between the version and the operation, unescaped:
	// "models/gemini-3.6-flash",
	// "projects/p/locations/global/publishers/google/models/gemini-3.6-flash", "cachedContents/x",
	// "files".
	Resource string
	// Operation is what stands behind the colon of the last segment: "generateContent"; "" when
	// there is none.
	Operation string
	// Model is the id of the model in Resource, such as "gemini-3.6-flash", or the name of a tuned
	// one, "tunedModels/x"; "" when there is none.
	Model string
}

// RouteOf reads the path of a request. Paths of Vertex AI begin with a project or a publisher,
// express mode has the latter; all others are the Gemini API's.
func RouteOf(u *url.URL) Route {
	path := strings.TrimPrefix(u.Path, "/")
	path = strings.TrimPrefix(path, "upload/")
	version, resource, _ := strings.Cut(path, "/")
	route := Route{Backend: models.GeminiAPI, Version: version, Resource: resource}
	if i := strings.LastIndexByte(resource, ':'); i > strings.LastIndexByte(resource, '/') {
		route.Resource, route.Operation = resource[:i], resource[i+1:]
	}
	first, _, _ := strings.Cut(route.Resource, "/")
	if first == "projects" || first == "publishers" {
		route.Backend = models.VertexAI
	}
	route.Model = modelIn(route.Resource)
	return route
}

// modelIn returns the model that a resource is.
func modelIn(resource string) string {
	collection, id := "", resource
	if i := strings.LastIndexByte(resource, '/'); i >= 0 {
		collection, id = resource[:i], resource[i+1:]
	}
	switch collection[strings.LastIndexByte(collection, '/')+1:] {
	case "models":
		return id
	case "tunedModels", "dynamic", "endpoints":
		return collection[strings.LastIndexByte(collection, '/')+1:] + "/" + id
	default:
		return ""
	}
}
