package gateway

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/headervalue"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/internal/credential"
	"github.com/go-chi/chi/v5"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// nativeForm is Google's own API: methods of models, passed through unchanged.
var nativeForm = form{name: nativeName, idHeader: headerRequestID,
	appendProblem: problem.AppendGoogle}

// resourceForm is the rest of Google's API: files, caches and batches. Their bodies are passed on
// as they arrive.
var resourceForm = form{name: nativeName, idHeader: headerRequestID, passesBodies: true,
	appendProblem: problem.AppendGoogle}

const nativeName = "native"

// nativeRoutes adds the paths of Google's API.
func nativeRoutes(router chi.Router, s *setup) {
	for _, path := range native.Paths {
		router.HandleFunc(path, s.serveNative)
	}
	router.Post("/v1/models/*", s.serveNative) // the others of models are OpenAI's
}

// serveNative passes a request on. A model's method goes to a model as in other forms, with
// aliases, fallbacks and any account. Requests for stored resources use the first account, because
// projects do not see each other's resources.
func (s *setup) serveNative(w http.ResponseWriter, r *http.Request) {
	if problem.IsOfOtherAPI(r.URL.Path) {
		s.serveNotFound(w, r)
		return
	}
	op, err := native.OperationOf(r.URL.EscapedPath())
	if err != nil {
		s.serve(w, r, &resourceForm,
			func(*call) *problem.Problem { return problem.Invalid("invalid_path", "", err.Error()) })
		return
	}
	if op.Model != "" && r.Method == http.MethodPost {
		s.serve(w, r, &nativeForm, func(c *call) *problem.Problem { return c.passToModel(op) })
		return
	}
	s.serve(w, r, &resourceForm, func(c *call) *problem.Problem { return c.passToServer(op) })
}

// request returns the Gemini request for an operation. It leaves out what is only for the gateway.
func (c *call) nativeRequest(op native.Operation, query string) gemini.ForwardRequest {
	out := gemini.ForwardRequest{
		Method: c.request.Method, Path: op.Path, Query: query,
		Header: native.RequestHeader(c.request.Header),
	}
	if op.IsVertexAI == c.upstream.isVertexAI() {
		out.Version = op.Version
	}
	return out
}

// nativeQuery returns the query string that is passed on.
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

// passToServer passes on a request that is not a model's method.
func (c *call) passToServer(op native.Operation) *problem.Problem {
	query, p := c.nativeQuery(op)
	if p != nil {
		return p
	}
	if p := c.permitResource(op); p != nil {
		return p
	}
	if p := c.reserveResource(op); p != nil {
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
	if size := c.request.ContentLength; size != 0 {
		request.Upload, request.UploadSize = uploadOf(c.request.Body, size), size
	}
	ctx := c.request.Context()
	if op.IsDownload(c.request.Method) {
		ctx = inbound.Download(ctx)
	}
	reply, err := account.Client.Forward(ctx, &request, c.limits("").options(true)...)
	if err != nil {
		if c.isSlowUpload() {
			return c.slowBody()
		}
		return c.failed(err)
	}
	defer func() { _ = reply.Close() }()
	reply.Begin()
	c.observeRequest()
	c.end.Service = c.service()
	switch {
	case alias.model != "":
		return c.passAlias(alias, reply)
	case reply.HTTPStatus >= http.StatusBadRequest:
		return c.passRefusal(reply, op)
	case c.isModelList(op) && c.isListChanged():
		return c.passModelList(reply)
	default:
		return c.passReply(reply)
	}
}

// uploadOf returns the body of a request for an upload. It never reads beyond the size, which is -1
// if it is unknown: net/http closes the body when the answer begins, and its client ends the answer
// if it then reads the body once more to see its end.
func uploadOf(body io.Reader, size int64) io.Reader {
	if size < 0 {
		return body
	}
	return io.LimitReader(body, size)
}

// passRefusal passes on the answer of a server that refuses a request.
func (c *call) passRefusal(reply *gemini.ForwardReply, op native.Operation) *problem.Problem {
	body, err := io.ReadAll(reply) // up to 1 MiB
	if err != nil {
		return c.failed(err)
	}
	body = c.withoutSecrets(body)
	if model := op.ModelResource(); reply.HTTPStatus == http.StatusNotFound && model != "" {
		body = c.hintModelIn(body, model)
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.writeWhole(reply.HTTPStatus, body)
	return nil
}

// hintModelIn adds a hint on an unknown model to the message of a server's error. Everything else
// in the error stays as it is.
func (c *call) hintModelIn(body []byte, model string) []byte {
	hint := c.modelHint(model)
	if hint == "" {
		return body
	}
	return native.WithHint(body, c.recorders.Secrets.Text(hint))
}

// withoutSecrets removes the secrets from the last events of a stream or from an error body, which
// may quote them.
func (c *call) withoutSecrets(data []byte) []byte {
	return []byte(credential.Blank(string(c.recorders.Secrets.Error(data))))
}

// passReply passes an answer on as it arrives.
func (c *call) passReply(reply *gemini.ForwardReply) *problem.Problem {
	status := reply.HTTPStatus
	if status >= 300 && status < 400 && status != http.StatusNotModified {
		return c.passRedirect(reply)
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.isAnswered, c.end.Status = true, reply.HTTPStatus
	if c.recorders.WantsBodies() {
		c.recorders.Response(exchange.Client,
			exchange.Response{Status: reply.HTTPStatus, Header: c.writer.Header()})
	}
	c.writer.WriteHeader(reply.HTTPStatus)
	return c.copyBody(reply)
}

// passRedirect redirects the client to the gateway's path for the rest of a download. It does not
// pass on the body, which contains the upstream's address.
func (c *call) passRedirect(reply *gemini.ForwardReply) *problem.Problem {
	path, isServed := native.OwnPath(reply.Header.Get("Location"))
	if !isServed {
		return c.failed(&inbound.StatusError{Status: reply.HTTPStatus})
	}
	headervalue.Set(c.writer.Header(), "Location", c.recorders.Secrets.Text(path))
	c.writeWhole(reply.HTTPStatus, nil)
	return nil
}

// copyBody writes a body as it arrives. If the body ends early it cuts the connection, so that the
// client does not take the part for the whole.
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

// permitResource refuses a request that reaches models that the client's key does not allow.
func (c *call) permitResource(op native.Operation) *problem.Problem {
	model := op.ModelResource()
	if p := c.checkModelName(model); p != nil {
		return p
	}
	if c.key == nil || c.key.PermitsAll() {
		return nil
	}
	isRead := c.request.Method == http.MethodGet
	switch {
	case isRead && model != "":
		return c.permitModel(model)
	case op.IsOpen(), c.isModelList(op):
		return nil
	default:
		return &problem.Problem{
			Status: http.StatusForbidden, Type: problem.TypeInvalidRequest,
			Code: "permission_denied",
			Message: "this key is limited to some models, and " + c.request.Method + " " + op.Path +
				" could use others",
		}
	}
}

// checkForeignName refuses an escaped model name in a path, unless another server than Google's
// describes its models. Only such servers have names with slashes.
func (c *call) checkForeignName(op native.Operation) *problem.Problem {
	isForeign := c.upstream.BaseURL != "" && !c.upstream.isVertexAI()
	if !strings.Contains(op.Path, "%") || isForeign && c.request.Method == http.MethodGet {
		return nil
	}
	return modelNotFound(op.ModelResource())
}

// isModelList reports whether an operation lists models.
func (c *call) isModelList(op native.Operation) bool {
	kind, name := op.Resource()
	return c.request.Method == http.MethodGet && kind == "models" && name == ""
}

// listedModels is a list of models as the services send it.
type listedModels struct {
	Models          []jsontext.Value `json:"models,omitempty"`
	PublisherModels []jsontext.Value `json:"publisherModels,omitempty"`
	Rest            jsontext.Value   `json:",embed"`
}

// isListChanged reports whether the client's list of models differs from the upstream's. It differs
// if there are aliases, which the first page has, or if the client's key allows only some models.
func (c *call) isListChanged() bool {
	return c.key != nil && !c.key.PermitsAll() || c.listsAliases()
}

func (c *call) listsAliases() bool {
	return len(c.aliases) > 0 && c.request.URL.Query().Get("pageToken") == ""
}

// passModelList passes a list of models on. It adds the aliases and removes models that the
// client's key does not allow.
func (c *call) passModelList(reply *gemini.ForwardReply) *problem.Problem {
	body, err := io.ReadAll(reply)
	if err != nil {
		return c.failed(err)
	}
	if reply.HTTPStatus < http.StatusMultipleChoices {
		var list listedModels
		if err := json.Unmarshal(body, &list); err != nil {
			return c.failed(err)
		}
		list.Models, list.PublisherModels = c.permitted(list.Models),
			c.permitted(list.PublisherModels)
		if list.PublisherModels == nil && c.listsAliases() {
			if list.Models, err = c.withAliases(list.Models); err != nil {
				return c.failed(err)
			}
		}
		if body, err = json.Marshal(&list); err != nil {
			return c.failed(err)
		}
	}
	native.SetReplyHeader(c.writer.Header(), c.request, reply, &c.recorders.Secrets)
	c.writeWhole(reply.HTTPStatus, body)
	return nil
}

// permitted returns the listed models that the client's key allows.
func (c *call) permitted(models []jsontext.Value) []jsontext.Value {
	var out []jsontext.Value
	for _, model := range models {
		name := nameIn(model)
		if name != "" &&
			c.permitModel(strings.TrimPrefix(name, "publishers/google/models/")) == nil {
			out = append(out, model)
		}
	}
	return out
}
