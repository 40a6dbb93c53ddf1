package native

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/internal/chatupstream"
	"github.com/gemwire/gemwire/pkg/gateway/internal/recording"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Paths are those of the Gemini API and of Vertex AI. In v1 OpenAI's API has paths of its own. It is never
// written to.
var Paths = []string{
	"/v1beta/*", "/v1alpha/*", "/v1beta1/*", "/upload/*", "/download/*", "/v1/projects/*", "/v1/publishers/*", "/v1/tunedModels/*",
}

// Query returns the query of a request without a key, which is the gateway's business.
func Query(r *http.Request) string {
	_, query, _ := strings.Cut(recording.WithoutKey(r.URL), "?")
	return query
}

// passedHeaders are those of a client's request that Google reads. Others are the connection's, or the gateway's business:
// an answer that is compressed, for example, would have to be unpacked for its tokens.
var passedHeaders = []string{
	"Content-Type", "Content-Encoding", "Accept", "Range", "If-Match", "If-None-Match", "User-Agent", "X-Server-Timeout",
}

// passedPrefix begins the headers of Google's own, of requests and answers.
const passedPrefix = "X-Goog-"

// RequestHeader returns what of the header of a request Google reads.
func RequestHeader(from http.Header) http.Header {
	out := http.Header{}
	for _, name := range passedHeaders {
		if values := from[name]; values != nil {
			out[name] = values
		}
	}
	for name, values := range from {
		if strings.HasPrefix(name, passedPrefix) && name != "X-Goog-Api-Key" && name != "X-Goog-User-Project" {
			out[name] = values
		}
	}
	return out
}

// keptHeaders are those of an answer of Google's that are about the answer.
var keptHeaders = []string{
	"Content-Type", "Content-Disposition", "Content-Range", "Accept-Ranges", "Etag", "Last-Modified", "Retry-After",
	chatupstream.HeaderLosses, chatupstream.HeaderEstimated,
}

// addressHeaders are those in which a server says where to go on. They lead back to the gateway.
var addressHeaders = []string{"X-Goog-Upload-Url", "X-Goog-Upload-Control-Url", "Location"}

// SetReplyHeader sets the header of an answer to a request that is passed through.
func SetReplyHeader(header http.Header, request *http.Request, reply *gemini.ForwardReply) {
	for _, name := range keptHeaders {
		if values := reply.Header[name]; values != nil {
			header[name] = values
		}
	}
	for name, values := range reply.Header {
		if strings.HasPrefix(name, passedPrefix) {
			header[name] = values
		}
	}
	for _, name := range addressHeaders {
		if address := reply.Header.Get(name); address != "" {
			header.Set(name, ownAddress(request, address))
		}
	}
	if reply.Size >= 0 {
		header.Set("Content-Length", strconv.FormatInt(reply.Size, 10))
	}
}

// ownAddress returns an address of Google's API as one of the gateway, and any other as it is.
func ownAddress(request *http.Request, address string) string {
	target, err := url.Parse(address)
	if err != nil || target.Host == "" || !isPath(target.Path) {
		return address
	}
	target.Scheme, target.Host, target.User = "http", request.Host, nil
	if request.TLS != nil || request.Header.Get("X-Forwarded-Proto") == "https" {
		target.Scheme = "https"
	}
	return target.String()
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
