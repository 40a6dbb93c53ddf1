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

// Paths are those of the Gemini API and of Vertex AI. In v1 OpenAI's API has paths of its own. It
// is never written to.
var Paths = []string{
	"/v1beta/*", "/v1alpha/*", "/v1beta1/*", "/upload/*", "/download/*", "/v1/projects/*",
	"/v1/publishers/*", "/v1/tunedModels/*",
}

// passedHeaders are those of a client's request that Google reads. Others are the connection's, or
// the gateway's business: an answer that is compressed, for example, would have to be unpacked for
// its tokens.
var passedHeaders = []string{
	"Content-Type", "Content-Encoding", "Accept", "Range", "If-Match", "If-None-Match",
	"User-Agent", "X-Server-Timeout",
}

// googlePrefix begins Google's own headers. Of requests, those of uploads and the name of the
// client's library are passed on. Others are parameters of every Google API by another name, as
// X-Goog-FieldMask is $fields: they change the form of the answer, such as the tokens in it, have a
// credential or name whose quota is used.
const (
	googlePrefix = "X-Goog-"
	uploadPrefix = googlePrefix + "Upload-"
	headerClient = googlePrefix + "Api-Client"
)

// RequestHeader returns what of the header of a request Google reads.
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

// keptHeaders are those of an answer of Google's that are about the answer.
var keptHeaders = []string{
	"Content-Type", "Content-Disposition", "Content-Range", "Accept-Ranges", "Etag",
	"Last-Modified", "Retry-After",
	chatupstream.HeaderLosses, chatupstream.HeaderEstimated,
}

// addressHeaders are those in which a server says where to go on. They lead back to the gateway.
var addressHeaders = []string{"X-Goog-Upload-Url", "X-Goog-Upload-Control-Url"}

// SetReplyHeader sets the header of an answer to a request that is passed through. A browser takes
// no such answer for a page or a script of the gateway.
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
	// a file of a user's may be a page
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if reply.Size >= 0 {
		header.Set("Content-Length", strconv.FormatInt(reply.Size, 10))
	}
}

// copyWithout copies the values of a header without secrets.
func copyWithout(blank func(string) string, to, from http.Header, name string) {
	headervalue.Copy(to, from, name)
	for i, value := range to[name] {
		to[name][i] = blank(value)
	}
}

// ownAddress returns an address of Google's API as one of the gateway. It reports false for an
// address that the gateway does not serve.
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

// OwnPath returns the path, with its query, by which an address of Google's API leads to the
// gateway. It reports false for an address that the gateway does not serve.
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
