package endpoint

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Collections are what the names of models and of other resources begin with.
const (
	collectionModels      = "models/"
	collectionTunedModels = "tunedModels/"
	collectionPublishers  = "publishers/"
	collectionProjects    = "projects/"
	collectionEndpoints   = "endpoints/"
	publisherGoogle       = collectionPublishers + "google/" + collectionModels
)

// What is wrong with the name of a model.
var (
	ErrNoModel   = errors.New("gemini: Model is required")
	errSegment   = errors.New("the name has an empty segment, a dot segment or a control character")
	errVertex    = errors.New("the model is one of Vertex AI, and the client calls the Gemini API")
	errTuned     = errors.New("tunedModels/ are of the Gemini API, and the client calls Vertex AI")
	errNoProject = errors.New("the model belongs to a project, and express mode has none")
)

// Model returns the resource of a model, escaped for a path. Its name is one of
//
//	gemini-3.5-flash                                            a model of Google's
//	models/gemini-3.5-flash                                     the same
//	publishers/google/models/gemini-3.5-flash                   the same
//	meta/llama-4, publishers/meta/models/llama-4                Vertex AI: a model of another publisher
//	tunedModels/mine                                            Gemini API: a tuned model
//	endpoints/123                                               Vertex AI: a deployed model
//	projects/p/locations/l/...                                  Vertex AI: any of these
func (e *Endpoint) Model(name string) (string, error) {
	if name == "" {
		return "", ErrNoModel
	}
	escaped, err := Escape(name)
	if err != nil {
		return "", fmt.Errorf("model: %w", err)
	}
	if e.Service == GeminiAPI {
		return geminiModel(escaped)
	}
	return e.vertexModel(escaped)
}

func geminiModel(name string) (string, error) {
	switch _, google, isGoogles := strings.Cut(name, publisherGoogle); {
	case strings.HasPrefix(name, collectionModels), strings.HasPrefix(name, collectionTunedModels), strings.HasPrefix(name, "dynamic/"):
		return name, nil
	case isGoogles:
		return collectionModels + google, nil
	case strings.Contains(name, "/"):
		return "", errVertex
	default:
		return collectionModels + name, nil
	}
}

func (e *Endpoint) vertexModel(name string) (string, error) {
	switch id, isModel := strings.CutPrefix(name, collectionModels); {
	case strings.HasPrefix(name, collectionProjects):
		return name, nil
	case strings.HasPrefix(name, collectionTunedModels):
		return "", errTuned
	case strings.HasPrefix(name, collectionPublishers):
		return e.Resource(name)
	case strings.HasPrefix(name, collectionEndpoints):
		if e.Service == VertexAIExpress {
			return "", errNoProject
		}
		return e.Resource(name)
	case isModel:
		return e.Resource(publisherGoogle + id)
	}
	if publisher, id, ok := strings.Cut(name, "/"); ok {
		return e.Resource(collectionPublishers + publisher + "/" + collectionModels + id)
	}
	return e.Resource(publisherGoogle + name)
}

// Resource returns the full name of a resource of the client's project: at Vertex AI that stands below the
// project and its location, elsewhere it is the name itself.
func (e *Endpoint) Resource(name string) (string, error) {
	if e.Service != VertexAI || strings.HasPrefix(name, collectionProjects) {
		return name, nil
	}
	parent, err := Escape(collectionProjects + e.Project + "/locations/" + e.location())
	return parent + "/" + name, err
}

func (e *Endpoint) location() string {
	if e.Location == "" {
		return global
	}
	return e.Location
}

// Escape escapes the segments of a resource name for a path. It refuses segments by which a server, or a proxy in
// front of it, might be led to another resource.
func Escape(name string) (string, error) {
	var out strings.Builder
	for i, segment := range strings.Split(name, "/") {
		if segment == "" || segment == "." || segment == ".." || strings.ContainsFunc(segment, isControl) {
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
