package endpoint

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"
)

// Collections are the prefixes of the names of models and other resources.
const (
	collectionModels      = "models/"
	collectionTunedModels = "tunedModels/"
	collectionDynamic     = "dynamic/"
	collectionPublishers  = "publishers/"
	collectionProjects    = "projects/"
	collectionEndpoints   = "endpoints/"
	publisherGoogle       = collectionPublishers + "google/" + collectionModels
)

// ErrNoModel reports a missing model name.
var ErrNoModel = errors.New("gemini: Model is required")

// The errors for the name of a model.
var (
	errSegment   = errors.New("the name has an empty segment, a dot segment or a control character")
	errVertex    = errors.New("the model is a Vertex AI model, but the client calls the Gemini API")
	errTuned     = errors.New("tunedModels/ and dynamic/ belong to the Gemini API, but the client calls Vertex AI")
	errNoProject = errors.New("the model belongs to a project, but express mode has none")
	errModelName = errors.New("the name is not the name of a model")
)

// Model returns the resource of a model, escaped for a path. Its name is one of
//
//	gemini-3.6-flash                                            a Google model
//	models/gemini-3.6-flash                                     the same
//	publishers/google/models/gemini-3.6-flash                   the same
//	meta/llama-4, publishers/meta/models/llama-4                Vertex AI: a model of another publisher
//	tunedModels/mine, dynamic/id                                Gemini API: a tuned or a dynamic model
//	endpoints/123                                               Vertex AI: a deployed model
//	projects/p/locations/l/...                                  Vertex AI: any of these
//
// A server that is not Google's own, at a Base, may also have any other name in the form of the
// Gemini API. Slashes in it are escaped.
//
// Any other name is an error that describes the problem, and an empty name is [ErrNoModel].
func (e *Endpoint) Model(name string) (string, error) {
	if name == "" {
		return "", ErrNoModel
	}
	escaped, err := Escape(name)
	if err != nil {
		return "", err
	}
	if e.Service == GeminiAPI {
		return e.geminiModel(escaped)
	}
	return e.vertexModel(escaped)
}

// geminiCollections have their resources directly below them.
var geminiCollections = []string{collectionModels, collectionTunedModels, collectionDynamic}

func (e *Endpoint) geminiModel(name string) (string, error) {
	if id, _ := strings.CutPrefix(name, collectionModels); e.Base != nil && isForeign(id) {
		return collectionModels + strings.ReplaceAll(id, "/", "%2F"), nil
	}
	if id, ok := strings.CutPrefix(name, publisherGoogle); ok {
		return oneIn(collectionModels, id)
	}
	for _, collection := range geminiCollections {
		if id, ok := strings.CutPrefix(name, collection); ok {
			return oneIn(collection, id)
		}
	}
	if strings.Contains(name, "/") {
		return "", errVertex
	}
	return collectionModels + name, nil
}

// isForeign reports whether a name has slashes as only model names of other servers have them.
func isForeign(name string) bool {
	collection, _, hasSlash := strings.Cut(name, "/")
	return hasSlash && !slices.Contains(geminiCollections, collection+"/") &&
		!strings.HasPrefix(name, publisherGoogle)
}

// oneIn returns the name of a resource in a collection. Its id has no slashes.
func oneIn(collection, id string) (string, error) {
	if strings.Contains(id, "/") {
		return "", errModelName
	}
	return collection + id, nil
}

func (e *Endpoint) vertexModel(name string) (string, error) {
	switch {
	case strings.HasPrefix(name, collectionProjects):
		if strings.Count(name, "/") < 5 { // projects/p/locations/l/endpoints/1 is the shortest
			return "", errModelName
		}
		return name, nil
	case strings.HasPrefix(name, collectionTunedModels), strings.HasPrefix(name, collectionDynamic):
		return "", errTuned
	case strings.HasPrefix(name, collectionPublishers):
		if segments := strings.Split(name, "/"); len(segments) != 4 ||
			segments[2]+"/" != collectionModels {
			return "", errModelName
		}
		return e.Resource(name)
	case strings.HasPrefix(name, collectionEndpoints):
		if e.Service == VertexAIExpress {
			return "", errNoProject
		}
		return e.Resource(name)
	}
	publisher, id, ok := strings.Cut(name, "/")
	if publisher+"/" == collectionModels || !ok {
		publisher, id = "google", strings.TrimPrefix(name, collectionModels)
	}
	model, err := oneIn(collectionPublishers+publisher+"/"+collectionModels, id)
	if err != nil {
		return "", err
	}
	return e.Resource(model)
}

// Resource returns the full name of a resource of the client's project. At Vertex AI the name
// begins with the project and its location; elsewhere the name stays as it is.
func (e *Endpoint) Resource(name string) (string, error) {
	if e.Service != VertexAI || strings.HasPrefix(name, collectionProjects) {
		return name, nil
	}
	parent, err := Escape(collectionProjects + e.Project + "/locations/" +
		cmp.Or(e.Location, global))
	return parent + "/" + name, err
}

// Escape escapes the segments of a resource name for a path. It refuses segments that a server, or
// a proxy before it, might resolve to another resource.
func Escape(name string) (string, error) {
	var out strings.Builder
	for i, segment := range strings.Split(name, "/") {
		if segment == "" || segment == "." || segment == ".." ||
			strings.ContainsFunc(segment, isControl) {
			return "", errSegment
		}
		if i > 0 {
			out.WriteByte('/')
		}
		// A colon would begin a custom method.
		out.WriteString(strings.ReplaceAll(url.PathEscape(segment), ":", "%3A"))
	}
	return out.String(), nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
