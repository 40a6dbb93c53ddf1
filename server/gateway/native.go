package gateway

import (
	"errors"
	"io"
	"net/http"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/internal/credential"
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
	op, err := native.OperationOf(r.URL.EscapedPath())
	if err != nil {
		s.serve(w, r, &resourceForm, func(*call) *problem.Problem { return problem.Invalid("invalid_path", "", err.Error()) })
		return
	}
	if op.Model != "" && r.Method == http.MethodPost {
		s.serve(w, r, &nativeForm, func(c *call) *problem.Problem { return c.passToModel(op) })
		return
	}
	s.serve(w, r, &resourceForm, func(c *call) *problem.Problem { return c.passToServer(op) })
}

// request returns the request to Gemini for an operation, without what is between the client and the gateway alone.
func (c *call) nativeRequest(op native.Operation, query string) gemini.ForwardRequest {
	out := gemini.ForwardRequest{
		Method: c.request.Method, Path: op.Path, Query: query, Header: native.RequestHeader(c.request.Header),
	}
	if op.IsVertexAI == c.upstream.isVertexAI() {
		out.Version = op.Version
	}
	return out
}

// nativeQuery returns the query that is passed on.
func (c *call) nativeQuery(op native.Operation) (string, *problem.Problem) {
	query, err := op.Query(c.request.URL.RawQuery)
	if refused, ok := errors.AsType[*native.ParameterError](err); ok {
		return "", problem.Invalid("unknown_parameter", "/"+refused.Name, refused.Error())
	}
	if err != nil {
		return "", problem.Invalid("invalid_query", "", err.Error())
	}
	return query, nil
}

// passToServer passes on what is no method of a model.
func (c *call) passToServer(op native.Operation) *problem.Problem {
	query, p := c.nativeQuery(op)
	if p != nil {
		return p
	}
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
	} else if p := c.checkForeignName(op); p != nil {
		return p
	}
	request := c.nativeRequest(op, query)
	if c.request.ContentLength != 0 {
		request.Upload, request.UploadSize = c.request.Body, c.request.ContentLength
	}
	ctx := c.request.Context()
	if op.IsDownload(c.request.Method) {
		ctx = inbound.Download(ctx)
	}
	reply, err := account.Client.Forward(ctx, &request, c.limits("").options(true)...)
	if err != nil {
		return c.uploadFailed(err)
	}
	defer func() { _ = reply.Close() }()
	reply.Begin()
	c.tellRequest()
	c.end.Service = c.service()
	switch {
	case alias.model != "":
		return c.passAlias(alias, reply)
	case reply.HTTPStatus >= http.StatusBadRequest:
		return c.passRefusal(reply)
	case c.isModelList(op) && c.isListChanged():
		return c.passModelList(reply)
	default:
		return c.passReply(reply)
	}
}

// passRefusal passes on what a server answers that refuses a request.
func (c *call) passRefusal(reply *gemini.ForwardReply) *problem.Problem {
	body, err := io.ReadAll(reply) // up to 1 MiB
	if err != nil {
		return c.failed(err)
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.writeWhole(reply.HTTPStatus, c.withoutSecrets(body))
	return nil
}

// withoutSecrets returns the last events of a stream, or the body of an error, without the secrets that it may quote.
func (c *call) withoutSecrets(data []byte) []byte {
	return []byte(credential.Blank(string(c.recorders.Secrets.Error(data))))
}

// passReply passes an answer on as it comes.
func (c *call) passReply(reply *gemini.ForwardReply) *problem.Problem {
	if isRedirect(reply.HTTPStatus) {
		return c.passRedirect(reply)
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.isAnswered, c.end.Status = true, reply.HTTPStatus
	if c.recorders.WantsBodies() {
		c.recorders.Response(exchange.Client, exchange.Response{Status: reply.HTTPStatus, Header: c.writer.Header()})
	}
	c.writer.WriteHeader(reply.HTTPStatus)
	return c.copyBody(reply)
}

// passRedirect tells the client by which path of the gateway a download goes on. The body, which repeats the upstream's
// address, stays here.
func (c *call) passRedirect(reply *gemini.ForwardReply) *problem.Problem {
	path, isServed := native.OwnPath(reply.Header.Get("Location"))
	if !isServed {
		return c.failed(&inbound.StatusError{Status: reply.HTTPStatus})
	}
	headervalue.Set(c.writer.Header(), "Location", c.recorders.Secrets.Text(path))
	c.writeWhole(reply.HTTPStatus, nil)
	return nil
}

// isRedirect reports whether a status leads elsewhere.
func isRedirect(status int) bool {
	return status >= 300 && status < 400 && status != http.StatusNotModified
}

// copyBody writes a body as it comes. When it breaks off the connection is cut, so that no client takes it for the whole.
func (c *call) copyBody(body io.Reader) *problem.Problem {
	out := c.passing()
	buf := make([]byte, copySize)
	for {
		n, err := body.Read(buf)
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
