package native

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/internal/chatupstream"
	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/gemwire/gemwire/server/gateway/internal/secret"
)

// Paths are the path prefixes of the Gemini API and of Vertex AI. OpenAI's API has its own paths in
// v1. It is read-only.
var Paths = []string{
	"/v1beta/*", "/v1alpha/*", "/v1beta1/*", "/upload/*", "/download/*", "/v1/projects/*",
	"/v1/publishers/*", "/v1/tunedModels/*",
}

// passedHeaders are the headers of a client's request that Google reads. Other headers belong to
// the connection or to the gateway. For example, the gateway could not read the token counts of a
// compressed answer.
var passedHeaders = []string{
	"Content-Type", "Content-Encoding", "Accept", "Range", "If-Match", "If-None-Match",
	"User-Agent", "X-Server-Timeout",
}

// googlePrefix is the prefix of Google's own headers. The gateway passes on the request headers of
// uploads and the name of the client's library. Other headers are parameters of every Google API in
// another form, as X-Goog-FieldMask is $fields. They change the form of the answer, such as its
// token counts, contain a credential, or select the quota to use.
const (
	googlePrefix = "X-Goog-"
	uploadPrefix = googlePrefix + "Upload-"
	headerClient = googlePrefix + "Api-Client"
)

// RequestHeader returns the part of a request header that Google reads.
func RequestHeader(from http.Header) http.Header {
	out := http.Header{}
	for _, name := range passedHeaders {
		if values := from[name]; values != nil {
			out[name] = values
		}
	}
	for name, values := range from {
		if name == headerClient || strings.HasPrefix(name, uploadPrefix) {
			out[name] = values
		}
	}
	return out
}

// keptHeaders are the headers of Google's answer that describe the answer.
var keptHeaders = []string{
	"Content-Type", "Content-Disposition", "Content-Range", "Accept-Ranges", "Etag",
	"Last-Modified", "Retry-After",
	chatupstream.HeaderLosses, chatupstream.HeaderEstimated,
}

// addressHeaders are the headers with a URL to continue at. The gateway changes them to its own
// URL.
var addressHeaders = []string{"X-Goog-Upload-Url", "X-Goog-Upload-Control-Url"}

// SetReplyHeader sets the header of a passed-through answer. It keeps browsers from treating the
// answer as a page or a script of the gateway.
func SetReplyHeader(header http.Header, request *http.Request, reply *gemini.ForwardReply,
	secrets *secret.List) {
	for _, name := range keptHeaders {
		copyWithout(secrets.Name, header, reply.Header, name)
	}
	for name := range reply.Header {
		if strings.HasPrefix(name, googlePrefix) {
			copyWithout(secrets.Text, header, reply.Header, name)
		}
	}
	for _, name := range addressHeaders {
		header.Del(name) // or an upload could be led past the gateway
		if address, isServed := ownAddress(request, reply.Header.Get(name)); isServed {
			headervalue.Set(header, name, secrets.Text(address))
		}
	}
	if strings.Contains(header.Get("Content-Type"), "script") {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	// a user's file may be a web page
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if reply.Size >= 0 {
		header.Set("Content-Length", strconv.FormatInt(reply.Size, 10))
	}
}

// copyWithout copies the values of a header and removes secrets.
func copyWithout(blank func(string) string, to, from http.Header, name string) {
	headervalue.Copy(to, from, name)
	for i, value := range to[name] {
		to[name][i] = blank(value)
	}
}

// ownAddress converts a URL of Google's API to a URL of the gateway. It reports false for a URL
// that the gateway does not serve.
func ownAddress(request *http.Request, address string) (string, bool) {
	path, isServed := OwnPath(address)
	if !isServed {
		return "", false
	}
	scheme := "http://"
	if request.TLS != nil || request.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https://"
	}
	return scheme + request.Host + path, true
}

// OwnPath returns the gateway's path and query for a URL of Google's API. It reports false for a
// URL that the gateway does not serve.
func OwnPath(address string) (string, bool) {
	target, err := url.Parse(address)
	if err != nil || !isPath(target.Path) {
		return "", false
	}
	return (&url.URL{Path: target.Path, RawPath: target.RawPath,
		RawQuery: target.RawQuery}).String(), true
}

// isPath reports whether the gateway passes a path through.
func isPath(path string) bool {
	for _, pattern := range Paths {
		if strings.HasPrefix(path, strings.TrimSuffix(pattern, "*")) {
			return true
		}
	}
	return false
}
