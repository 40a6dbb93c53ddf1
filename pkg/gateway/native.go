package gateway

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gateway/internal/recording"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-chi/chi/v5"
)

// nativeForm is Google's own API: methods of models, passed through as they are.
var nativeForm = form{name: nativeName, idHeader: headerRequestID, appendProblem: problem.AppendGoogle}

// resourceForm is the rest of it: files, caches, batches, whose bodies pass as they come.
var resourceForm = form{name: nativeName, idHeader: headerRequestID, passesBodies: true, appendProblem: problem.AppendGoogle}

const nativeName = "native"

// nativePaths are those of the Gemini API and of Vertex AI. In v1 OpenAI's API has paths of its own.
var nativePaths = []string{
	"/v1beta/*", "/v1alpha/*", "/v1beta1/*", "/upload/*", "/download/*", "/v1/projects/*", "/v1/publishers/*", "/v1/tunedModels/*",
}

// nativeRoutes adds the paths of Google's API.
func nativeRoutes(router chi.Router, s *setup) {
	for _, path := range nativePaths {
		router.HandleFunc(path, s.serveNative)
	}
	router.Post("/v1/models/*", s.serveNative) // the others of models are OpenAI's
}

// serveNative passes a request on. Methods of models go to a model as other forms do, by aliases and fallbacks and any
// account. What lies at the server is the first account's, since projects do not see each other's.
func (s *setup) serveNative(w http.ResponseWriter, r *http.Request) {
	op := nativeOperationOf(r.URL.EscapedPath())
	if op.model != "" && r.Method == http.MethodPost {
		s.serve(w, r, &nativeForm, func(c *call) *problem.Problem { return c.passToModel(op) })
		return
	}
	s.serve(w, r, &resourceForm, func(c *call) *problem.Problem { return c.passToServer(op) })
}

// nativeOperation is what a path of Google's asks for.
type nativeOperation struct {
	// path is all of it, escaped.
	path string
	// version is the first segment, isVertexAI whether the rest is of Vertex AI.
	version    string
	isVertexAI bool
	// model and verb are set for a method of a model: "gemini-3.5-flash" and "generateContent".
	model, verb string
}

// escapedColon matches the colon in front of a verb, which clients may escape.
var escapedColon = strings.NewReplacer("%3A", ":", "%3a", ":")

// nativeOperationOf reads an escaped path.
func nativeOperationOf(path string) nativeOperation {
	path = escapedColon.Replace(path)
	op := nativeOperation{path: path}
	version, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	op.version = version
	op.isVertexAI = strings.HasPrefix(rest, "projects/") || strings.HasPrefix(rest, "publishers/")
	at := strings.LastIndexByte(rest, ':') // names such as qwen2.5:7b have one too
	if at < 0 || strings.Contains(rest[at:], "/") {
		return op
	}
	if model := nativeModel(rest[:at], rest[at+1:]); model != "" {
		op.model, op.verb = model, rest[at+1:]
	}
	return op
}

// modelVerbs are the methods by which a resource below models/ with slashes in its name is a model of a server that has such.
var modelVerbs = []string{verbGenerate, verbStream, "countTokens", "embedContent", "batchEmbedContents"}

// nativeModel returns the model that a resource is, by the name that the services have in common where it has one; "" for
// other resources.
func nativeModel(resource, verb string) string {
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

// request returns the request to Gemini for an operation, without what is between the client and the gateway alone.
func (c *call) nativeRequest(op nativeOperation) gemini.ForwardRequest {
	out := gemini.ForwardRequest{
		Method: c.request.Method, Path: op.path, Query: nativeQuery(c.request), Header: nativeHeader(c.request.Header),
	}
	if op.isVertexAI == c.upstream.isVertexAI() {
		out.Version = op.version
	}
	return out
}

// nativeQuery returns the query of a request without a key, which is the gateway's business.
func nativeQuery(r *http.Request) string {
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

func nativeHeader(from http.Header) http.Header {
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

// passToServer passes on what is no method of a model.
func (c *call) passToServer(op nativeOperation) *problem.Problem {
	if p := c.permitResource(op); p != nil {
		return p
	}
	account, p := c.ownAccount()
	if p != nil {
		return p
	}
	if account == nil {
		account = c.pool.First()
	}
	request := c.nativeRequest(op)
	if c.request.ContentLength != 0 {
		request.Upload, request.UploadSize = c.request.Body, c.request.ContentLength
	}
	reply, err := account.Client.Forward(c.request.Context(), &request, c.limits("").options(true)...)
	if err != nil {
		return c.failed(err)
	}
	defer func() { _ = reply.Close() }()
	reply.Begin()
	c.tellRequest()
	c.end.Service = c.service()
	if c.key != nil && !c.key.PermitsAll() && c.isModelList(op) {
		return c.passModelList(reply)
	}
	c.setReplyHeader(reply)
	c.isAnswered, c.end.Status = true, reply.HTTPStatus
	if c.recorders.WantsBodies() {
		c.recorders.Response(exchange.Client, exchange.Response{Status: reply.HTTPStatus, Header: c.writer.Header()})
	}
	c.writer.WriteHeader(reply.HTTPStatus)
	return c.copyBody(reply)
}
