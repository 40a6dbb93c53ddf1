package problem

import (
	"net/http"
	"slices"
	"strings"
)

// NotServed is the problem of an unknown path. Clients retry 501 but not 404.
func NotServed(r *http.Request) *Problem {
	message := "this gateway does not serve " + r.Method + " " + r.URL.Path +
		baseURLHint(r.URL.Path)
	return &Problem{Status: http.StatusNotFound, Type: TypeInvalidRequest, Code: "unknown_url",
		Message: message}
}

// baseURLHint returns the path that a client meant, and what is wrong with its base URL. It returns
// "" if the path does not show that.
func baseURLHint(path string) string {
	meant := meantPath(path)
	if meant == "" {
		return ""
	}
	hint := "; use " + meant + ": the base URL of this client must "
	extra, isLonger := strings.CutSuffix(path, meant)
	switch {
	case !isLonger: // the version is missing, or another API's
		version, _, _ := strings.Cut(meant[1:], "/")
		return hint + "end in /" + version
	case isVersion(extra[strings.LastIndexByte(extra, '/')+1:]):
		return hint + "not end in " + extra
	default:
		return hint + "not contain " + extra
	}
}

// meantPath returns the path that the gateway serves for a request of a client with a wrong base
// URL, such as /v1/chat/completions for /openai/chat/completions. It returns "" for an unknown
// path, or if the path is right and only its method is wrong.
func meantPath(path string) string {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	at, version := 0, ""
	for ; at < len(segments) && isPrefix(segments, at); at++ {
		if isVersion(segments[at]) {
			version = segments[at]
		}
	}
	rest := strings.Join(segments[at:], "/")
	meant := ""
	switch {
	case isBelow(rest, googles) && (version == "v1beta" || !isBelow(rest, openAIs)),
		isMethodOfModel(rest):
		meant = "/v1beta/" + rest
	case isBelow(rest, openAIs):
		meant = "/v1/" + rest
	}
	if path == meant || path == "/v1beta/openai/"+rest || path == "/v1/"+rest {
		return ""
	}
	return meant
}

// The paths below /v1 in OpenAI's and Anthropic's APIs, and below /v1beta in Google's.
var (
	openAIs = []string{"chat/completions", "responses", "messages", "embeddings", "models",
		"conversations", "files", "batches", "interactions"}
	googles = []string{"models", "files", "batches", "cachedContents", "fileSearchStores",
		"interactions", "operations", "tunedModels"}
)

// isBelow reports whether a path without its version is one of the names, or below one.
func isBelow(path string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		rest, ok := strings.CutPrefix(path, name)
		return ok && (rest == "" || rest[0] == '/')
	})
}

// isMethodOfModel reports whether a path without its version is a method of a model, such as
// models/gemini-3.6-flash:generateContent.
func isMethodOfModel(path string) bool {
	return strings.HasPrefix(path, "models/") && strings.Contains(path, ":")
}

// isPrefix reports whether a segment of a path belongs to a base URL: a version, or a name by which
// other servers serve an API. Azure has deployments/NAME.
func isPrefix(segments []string, at int) bool {
	return isVersion(segments[at]) || slices.Contains(prefixes, segments[at]) ||
		at > 0 && segments[at-1] == "deployments"
}

var prefixes = []string{"openai", "anthropic", "google", "gemini", "api", "deployments"}

func isVersion(segment string) bool {
	return segment == "v1" || segment == "v1beta" || segment == "v1alpha" || segment == "v1beta1"
}

// IsOfOtherAPI reports whether a path below a version of Google's API is one of OpenAI's or
// Anthropic's API. Google does not have it, so only a client with a wrong base URL requests it.
func IsOfOtherAPI(path string) bool {
	_, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return isBelow(rest, openAIs) && !isBelow(rest, googles)
}
