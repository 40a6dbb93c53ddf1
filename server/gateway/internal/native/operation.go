// Package native parses requests to Google's own API, which clients with Google's SDKs send. It
// decides which parts of the requests and of their answers a gateway passes through.
package native

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Model methods that the gateway understands, for token counts and signatures.
const (
	VerbGenerate = "generateContent"
	VerbStream   = "streamGenerateContent"
)

// Operation is the operation that a path of Google's API addresses.
type Operation struct {
	// Path is the whole path in canonical escaping, so that the checked path is the sent path.
	Path string
	// Version is the first segment. IsVertexAI reports that the rest belongs to Vertex AI.
	Version    string
	IsVertexAI bool
	// Model and Verb are set for a method of a model: "gemini-3.6-flash" and "generateContent".
	Model, Verb string
}

// ErrPath reports a path with a segment that is not an id, such as one with an escaped slash.
var ErrPath = errors.New("the path has a segment with characters other than letters, digits and . _ - ~ : @")

// ErrLocation reports a location of Vertex AI that would change the host that it is part of.
var ErrLocation = errors.New("the location may have only lower-case letters, digits and hyphens")

// OperationOf parses an escaped path. The error is [ErrPath] or [ErrLocation]: a server, or a proxy
// in front of it, could take such a path for another resource's path.
func OperationOf(path string) (Operation, error) {
	segments, err := segmentsOf(path)
	if err != nil {
		return Operation{Path: path}, err
	}
	if !hasLocation(segments) {
		return Operation{Path: path}, ErrLocation
	}
	op := Operation{Path: escaped(segments), Version: segments[0]}
	rest := strings.Join(segments[1:], "/")
	op.IsVertexAI = strings.HasPrefix(rest, "projects/") || strings.HasPrefix(rest, "publishers/")
	at := strings.LastIndexByte(rest, ':') // names such as qwen2.5:7b have one too
	if at < 0 || !isVerb(rest[at+1:]) {
		return op, nil
	}
	if model := modelOf(rest[:at], rest[at+1:]); model != "" {
		op.Model, op.Verb = model, rest[at+1:]
	}
	return op, nil
}

// segmentsOf returns the unescaped segments of a path.
func segmentsOf(path string) ([]string, error) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	isModel := false
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil || !isModel && !isID(plain) || isModel && !isPartOfModel(plain) {
			return nil, ErrPath
		}
		segments[i] = plain
		// a model name on another server may contain slashes
		isModel = isModel || i == 1 && plain == "models"
	}
	return segments, nil
}

// hasLocation reports whether a path of Vertex AI has a valid location, or none.
func hasLocation(segments []string) bool {
	if len(segments) < 5 || segments[1] != "projects" || segments[3] != "locations" {
		return true
	}
	location, _, _ := strings.Cut(segments[4], ":") // of a method of the location
	return strings.Trim(location, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// isID reports whether a segment has only the characters of names and ids, optionally followed by a
// verb. A dot segment is not an id.
func isID(segment string) bool {
	for i := range len(segment) {
		c := segment[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') &&
			strings.IndexByte("._-~:@", c) < 0 {
			return false
		}
	}
	return strings.Trim(segment, ".") != ""
}

// isPartOfModel reports whether a segment can be part of a model name, whose slashes may be
// escaped.
func isPartOfModel(segment string) bool {
	for part := range strings.SplitSeq(segment, "/") {
		if !isID(part) {
			return false
		}
	}
	return true
}

func isVerb(text string) bool {
	for _, c := range text {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return text != ""
}

// escaped returns the path of segments.
func escaped(segments []string) string {
	var path strings.Builder
	for _, segment := range segments {
		path.WriteString("/" + url.PathEscape(segment))
	}
	return path.String()
}

// modelVerbs are methods that mark a resource below models/ as a model even if its name has
// slashes. Only some servers have such names.
var modelVerbs = []string{VerbGenerate, VerbStream, "countTokens", "embedContent",
	"batchEmbedContents"}

// modelOf returns the model of a resource, or "" for other resources. It returns the name that the
// services share, if there is one.
func modelOf(resource, verb string) string {
	_, afterPublisher, isPublished := strings.Cut(resource, "publishers/google/models/")
	id, isModel := strings.CutPrefix(resource, "models/")
	switch {
	case isPublished && !strings.Contains(afterPublisher, "/"):
		return afterPublisher
	case isModel && (!strings.Contains(id, "/") || slices.Contains(modelVerbs, verb)):
		return id
	case strings.HasPrefix(resource, "tunedModels/"), strings.Contains(resource, "/endpoints/"),
		strings.Contains(resource, "/models/"):
		return resource
	default:
		return ""
	}
}

// Method returns the verb for the memory of refusals. A stream counts as generateContent.
func (op Operation) Method() string {
	if op.Verb == VerbStream {
		return VerbGenerate
	}
	return op.Verb
}

// IsDownload reports whether a request with an HTTP method downloads a file.
func (op Operation) IsDownload(method string) bool {
	return method == http.MethodGet &&
		(op.Version == "download" || strings.HasSuffix(op.Path, ":download"))
}

// Resource returns the first part of the path that names a kind of resource, and the rest: "files"
// and "abc" of "/v1beta1/projects/p/locations/l/files/abc".
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

// ModelResource returns the model name if the operation is about a model but not a method of it.
// Otherwise it returns "".
func (op Operation) ModelResource() string {
	kind, name := op.Resource()
	if kind != "models" {
		return ""
	}
	plain, _ := url.PathUnescape(name) // of escapes that OperationOf has made
	return plain
}
