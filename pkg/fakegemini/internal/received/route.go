package received

import (
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Route is the parsed path of a request.
type Route struct {
	// Backend is the service to which the form of the path belongs.
	Backend models.Backends
	// Version is the first segment: v1beta, v1, v1beta1.
	Version string
	// Resource is the path between the version and the operation, unescaped:
	// "models/gemini-3.6-flash",
	// "projects/p/locations/global/publishers/google/models/gemini-3.6-flash", "cachedContents/x",
	// "files".
	Resource string
	// Operation is the text after the colon of the last segment, such as "generateContent", or "".
	Operation string
	// Model is the id of the model in Resource, such as "gemini-3.6-flash", or the name of a tuned
	// one, "tunedModels/x". It is "" for a request without a model.
	Model string
}

// RouteOf parses the path of a request. Paths of Vertex AI begin with a project or, in express
// mode, with a publisher; all others belong to the Gemini API.
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

// modelIn returns the model in the name of a resource.
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
