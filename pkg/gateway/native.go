package gateway

import (
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gateway/exchange"
	"github.com/gemwire/gemwire/pkg/gateway/internal/native"
	"github.com/gemwire/gemwire/pkg/gateway/internal/problem"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-chi/chi/v5"
)

// nativeForm is Google's own API: methods of models, passed through as they are.
var nativeForm = form{name: nativeName, idHeader: headerRequestID, appendProblem: problem.AppendGoogle}

// resourceForm is the rest of it: files, caches, batches, whose bodies pass as they come.
var resourceForm = form{name: nativeName, idHeader: headerRequestID, passesBodies: true, appendProblem: problem.AppendGoogle}

const nativeName = "native"

// nativeRoutes adds the paths of Google's API.
func nativeRoutes(router chi.Router, s *setup) {
	for _, path := range native.Paths {
		router.HandleFunc(path, s.serveNative)
	}
	router.Post("/v1/models/*", s.serveNative) // the others of models are OpenAI's
}

// serveNative passes a request on. Methods of models go to a model as other forms do, by aliases and fallbacks and any
// account. What lies at the server is the first account's, since projects do not see each other's.
func (s *setup) serveNative(w http.ResponseWriter, r *http.Request) {
	op := native.OperationOf(r.URL.EscapedPath())
	if op.Model != "" && r.Method == http.MethodPost {
		s.serve(w, r, &nativeForm, func(c *call) *problem.Problem { return c.passToModel(op) })
		return
	}
	s.serve(w, r, &resourceForm, func(c *call) *problem.Problem { return c.passToServer(op) })
}

// request returns the request to Gemini for an operation, without what is between the client and the gateway alone.
func (c *call) nativeRequest(op native.Operation) gemini.ForwardRequest {
	out := gemini.ForwardRequest{
		Method: c.request.Method, Path: op.Path, Query: native.Query(c.request), Header: native.RequestHeader(c.request.Header),
	}
	if op.IsVertexAI == c.upstream.isVertexAI() {
		out.Version = op.Version
	}
	return out
}

// passToServer passes on what is no method of a model.
func (c *call) passToServer(op native.Operation) *problem.Problem {
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
	alias := c.aliasIn(op)
	if alias.model != "" {
		op = c.describing(op, alias.model)
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
	switch {
	case alias.model != "":
		return c.passAlias(alias, reply)
	case c.isModelList(op) && c.isListChanged():
		return c.passModelList(reply)
	default:
		return c.passReply(reply)
	}
}

// passReply passes an answer on as it comes.
func (c *call) passReply(reply *gemini.ForwardReply) *problem.Problem {
	native.SetReplyHeader(c.writer.Header(), c.request, reply)
	c.isAnswered, c.end.Status = true, reply.HTTPStatus
	if c.recorders.WantsBodies() {
		c.recorders.Response(exchange.Client, exchange.Response{Status: reply.HTTPStatus, Header: c.writer.Header()})
	}
	c.writer.WriteHeader(reply.HTTPStatus)
	return c.copyBody(reply)
}

// copyBody passes a body on as it comes.
func (c *call) copyBody(reply *gemini.ForwardReply) *problem.Problem {
	out := c.passing()
	buf := make([]byte, copySize)
	for {
		n, err := reply.Read(buf)
		if n > 0 {
			if err := out.write(buf[:n]); err != nil {
				return c.leftProblem(err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.cutOff(c.failed(err))
		}
	}
}

const copySize = 32 << 10
