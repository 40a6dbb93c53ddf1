// Package native reads what requests to Google's own API ask for, and says what of them and of their answers passes through a
// gateway.
package native

import (
	"net/url"
	"slices"
	"strings"
)

// The methods of models that are understood, for their tokens and for what became of signatures.
const (
	VerbGenerate = "generateContent"
	VerbStream   = "streamGenerateContent"
)

// Operation is what a path of Google's asks for.
type Operation struct {
	// Path is all of it, escaped.
	Path string
	// Version is the first segment, IsVertexAI whether the rest is of Vertex AI.
	Version    string
	IsVertexAI bool
	// Model and Verb are set for a method of a model: "gemini-3.5-flash" and "generateContent".
	Model, Verb string
}

// escapedColon matches the colon in front of a verb, which clients may escape.
var escapedColon = strings.NewReplacer("%3A", ":", "%3a", ":")

// OperationOf reads an escaped path.
func OperationOf(path string) Operation {
	path = escapedColon.Replace(path)
	op := Operation{Path: path}
	version, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	op.Version = version
	op.IsVertexAI = strings.HasPrefix(rest, "projects/") || strings.HasPrefix(rest, "publishers/")
	at := strings.LastIndexByte(rest, ':') // names such as qwen2.5:7b have one too
	if at < 0 || strings.Contains(rest[at:], "/") {
		return op
	}
	if model := modelOf(rest[:at], rest[at+1:]); model != "" {
		op.Model, op.Verb = model, rest[at+1:]
	}
	return op
}

// modelVerbs are the methods by which a resource below models/ with slashes in its name is a model of a server that has such.
var modelVerbs = []string{VerbGenerate, VerbStream, "countTokens", "embedContent", "batchEmbedContents"}

// modelOf returns the model that a resource is, by the name that the services have in common where it has one; "" for
// other resources.
func modelOf(resource, verb string) string {
	_, behindPublisher, isPublished := strings.Cut(resource, "publishers/google/models/")
	id, isModel := strings.CutPrefix(resource, "models/")
	switch {
	case isPublished && !strings.Contains(behindPublisher, "/"):
		return behindPublisher
	case isModel && (!strings.Contains(id, "/") || slices.Contains(modelVerbs, verb)):
		if name, err := url.PathUnescape(id); err == nil {
			return name
		}
		return id
	case strings.HasPrefix(resource, "tunedModels/"), strings.Contains(resource, "/endpoints/"), strings.Contains(resource, "/models/"):
		return resource
	default:
		return ""
	}
}

// Resource returns the first part of the path that names a kind of thing, and the rest: "files" and "abc" of
// "/v1beta1/projects/p/locations/l/files/abc".
func (op Operation) Resource() (kind, name string) {
	path := strings.TrimPrefix(op.Path, "/")
	if way, rest, _ := strings.Cut(path, "/"); way == "upload" || way == "download" {
		path = rest
	}
	_, path, _ = strings.Cut(path, "/") // the version
	for {
		kind, name, _ = strings.Cut(path, "/")
		if kind != "projects" && kind != "locations" && kind != "publishers" {
			return kind, name
		}
		_, path, _ = strings.Cut(name, "/")
	}
}
