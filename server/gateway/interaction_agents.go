package gateway

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/history"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json/jsontext"
)

// Agents exist only in Google's Interactions API. The gateway passes their interactions on
// unchanged, with Google's ids, and passes on the requests that read, cancel and delete them.

// agentPassage passes on a request for an interaction of an agent.
type agentPassage struct {
	*call
	op       native.Operation
	query    string
	account  *upstream.Account
	isStream bool
	// sent is the body, as the upstream gets it. It is nil for an interaction that exists already.
	sent []byte
	// kept stores who owns the interaction. It is nil if there is one client only.
	kept *history.History

	by     answeredBy
	usage  *geminiapi.UsageMetadata
	reason normalize.FinishReason
}

// agentIn returns the agent that a request names in place of a model, or "".
func agentIn(body []byte) string {
	var agent string
	for name, value := range jsonx.Members(body) {
		switch {
		case name == "model" && value.Kind() != jsontext.KindNull:
			return "" // which the conversion refuses, if there is an agent too
		case name == "agent" && value.Kind() == jsontext.KindString:
			text, _ := jsontext.AppendUnquote(nil, value)
			agent = string(text)
		}
	}
	return agent
}

// passToAgent passes on a request that creates an interaction of an agent.
func (c *call) passToAgent(agent string) *problem.Problem {
	inBackground := hasTrue(c.body, "background")
	a := &agentPassage{call: c, isStream: hasTrue(c.body, "stream")}
	c.end.Stream = a.isStream
	if p := c.askFor(agent); p != nil {
		return p
	}
	models, p := c.route(agent)
	if p != nil {
		return p
	}
	if p := c.checkAgents(inBackground); p != nil {
		return p
	}
	if c.inProcess != nil && (a.isStream || inBackground) {
		return notWhole("/background")
	}
	if p := a.prepare(); p != nil {
		return p
	}
	if a.sent = a.agentBody(agent, models[0], inBackground); a.sent == nil {
		return problem.Invalid("", "/agent", "/agent: the body is not a JSON object")
	}
	if p := c.reserve(estimate{model: models[0]}); p != nil {
		return p
	}
	ctx, cancel := c.limited(models[:1])
	defer cancel()
	err := c.pool.Run(ctx, &upstream.Call{
		Models: models[:1], Method: native.VerbInteraction, Attempts: 1, Only: a.account,
		Try:       func(t *upstream.Try) error { return a.create(ctx, t) },
		OnAttempt: c.onAttempt(),
	})
	a.finish()
	if err != nil {
		return a.failed(err)
	}
	return nil
}

// hasTrue reports whether a member of an object is true.
func hasTrue(object []byte, name string) bool {
	return string(jsonx.Member(object, name)) == "true"
}

// checkAgents refuses an agent that the upstream does not have, and one that no client could own.
func (c *call) checkAgents(inBackground bool) *problem.Problem {
	switch reason := c.noAgents(); {
	case reason != "":
		return problem.Invalid("unsupported_value", "/agent",
			"/agent: agents exist only in Google's Interactions API, and "+reason+"; set model")
	case c.convertsOnly():
		return problem.Invalid("unsupported_value", "/agent",
			"/agent: a batch calls generateContent, which has no agents; set model")
	case inBackground && c.hasManyClients() && c.responseStore == nil:
		return problem.Invalid("unsupported_value", "/background",
			"/background: must be false: this gateway has several clients, and remembers whose "+
				"interaction is whose only with --store")
	default:
		return nil
	}
}

// noAgents returns why the upstream has no agents, or "".
func (c *call) noAgents() string {
	switch {
	case c.upstream.Service == OpenAI:
		return "the upstream of this gateway is a server with chat_completions"
	case c.upstream.Service == VertexAIExpress:
		return "Vertex AI does not have it for API keys (express mode)"
	case c.upstream.API == APIGenerateContent:
		return "this gateway is configured for generateContent only (upstream_api)"
	default:
		return ""
	}
}

// hasManyClients reports whether interactions of several clients have the same account at Google,
// or whether a client may use only some models.
func (c *call) hasManyClients() bool {
	return !c.callersKey && c.keys != nil &&
		(c.keys.Len() > 1 || c.key != nil && !c.key.PermitsAll())
}

// prepare sets the operation and the account. All interactions of agents belong to the first
// account, because projects do not see each other's interactions.
func (a *agentPassage) prepare() *problem.Problem {
	var err error
	if a.op, err = native.OperationOf(a.request.URL.EscapedPath()); err != nil {
		return problem.Invalid("invalid_path", "", err.Error())
	}
	var p *problem.Problem
	if a.query, p = a.nativeQuery(a.op); p != nil {
		return p
	}
	if a.account, p = a.ownAccount(); p != nil {
		return p
	}
	if a.account == nil {
		a.account = a.pool.First()
	}
	if a.hasManyClients() && a.responseStore != nil {
		a.kept = a.history()
	}
	if a.upstream.Service == VertexAI {
		_, rest, _ := strings.Cut(strings.TrimPrefix(a.op.Path, "/"), "/")
		a.op.Path = "/" + cmp.Or(a.upstream.APIVersion, versionInteractionsVertexAI) +
			"/projects/" + url.PathEscape(a.account.Project) + "/locations/" +
			url.PathEscape(cmp.Or(a.account.Location, "global")) + "/" + rest
	}
	return nil
}

// versionInteractionsVertexAI is the only version in which Vertex AI has interactions.
const versionInteractionsVertexAI = "v1beta1"

// agentBody returns the body that the upstream gets: with the agent that an alias names, and with
// the setting about storage, unless the request or the background decides.
func (a *agentPassage) agentBody(asked, agent string, inBackground bool) []byte {
	body := a.body
	if agent != asked {
		name, err := jsontext.AppendQuote(nil, agent)
		if err == nil {
			body, err = jsonx.Set(body, "/agent", name)
		}
		if err != nil {
			return nil
		}
	}
	if store, isSet := a.stores(); isSet && !inBackground {
		return native.WithStore(native.VerbInteraction, body, store)
	}
	return body
}

// create makes the attempt.
func (a *agentPassage) create(ctx context.Context, t *upstream.Try) error {
	a.by.begin(t)
	reply, err := a.forward(ctx, a.limits(t.Model))
	if err != nil {
		return err
	}
	defer func() { _ = reply.Close() }()
	a.by.noteHead(reply.Header)
	if reply.HTTPStatus >= http.StatusBadRequest {
		return refusedReply(reply)
	}
	t.Begun()
	a.showModel(t.Model)
	return a.pass(reply)
}

// refusedReply returns the error that a reply reports.
func refusedReply(reply *gemini.ForwardReply) error {
	body, err := io.ReadAll(reply) // up to 1 MiB
	if err != nil {
		return err
	}
	return gemini.DecodeError(reply.HTTPStatus, reply.Header, body)
}

// forward sends the request.
func (a *agentPassage) forward(ctx context.Context,
	limits ModelSettings) (*gemini.ForwardReply, error) {
	request := a.nativeRequest(a.op, a.query)
	request.Body = a.sent
	return a.account.Client.Forward(ctx, &request, limits.options(a.isStream)...)
}

// pass passes a reply on, whole or as a stream.
func (a *agentPassage) pass(reply *gemini.ForwardReply) error {
	if strings.HasPrefix(reply.Header.Get("Content-Type"), "text/event-stream") {
		return a.passEvents(reply)
	}
	body, err := io.ReadAll(reply)
	if err != nil {
		return err
	}
	if in, err := interactions.DecodeResponse(body); err == nil {
		if err := a.look(in); err != nil {
			return err
		}
	}
	native.SetReplyHeader(a.writer.Header(), a.request, reply, &a.recorders.Secrets)
	a.writeWhole(reply.HTTPStatus, body)
	return nil
}

// passEvents passes a stream on, event by event, and then the rest of its bytes.
func (a *agentPassage) passEvents(reply *gemini.ForwardReply) error {
	pending := takeBuffer()
	defer pending.release()
	rest := io.TeeReader(reply, pending)
	reader := interactions.NewStreamReader(rest)
	out := a.passing()
	reply.Begin()
	a.end.FirstToken = a.now().Sub(a.start)
	for {
		event, err := reader.Next()
		if err == nil && event.Interaction != nil {
			err = a.look(event.Interaction)
		}
		if err == io.EOF {
			if _, err := io.Copy(io.Discard, rest); err != nil { // the mark of the end
				return err
			}
		}
		if _, isReported := errors.AsType[*interactions.Error](err); isReported {
			pending.data = a.withoutSecrets(pending.data)
		}
		if !a.isAnswered {
			if err != nil && err != io.EOF && len(pending.data) == 0 {
				return err
			}
			a.beginEvents(reply)
		}
		if a.recorders.WantsBodies() && event != nil {
			a.recorders.Chunk(exchange.Client, reader.Bytes())
		}
		if err := out.write(pending.data); err != nil {
			return a.leftProblem(err)
		}
		pending.data = pending.data[:0]
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// beginEvents writes the status and headers of a stream.
func (a *agentPassage) beginEvents(reply *gemini.ForwardReply) {
	(&nativePassage{call: a.call}).beginStream(reply)
}

// look records what an interaction says, and whose it is. An interaction that runs on says nothing
// about its end.
func (a *agentPassage) look(in *interactionsapi.Interaction) error {
	if id := jsonx.Deref(in.ID); id != "" && a.sent != nil && a.kept != nil {
		if err := a.own(in, id); err != nil {
			return err
		}
	}
	seen := interactionsapi.Interaction{Model: in.Model, Agent: in.Agent, Status: in.Status,
		Usage: in.Usage, ServiceTier: in.ServiceTier, Steps: []interactionsapi.Step{}}
	answer, _, err := reverse.ToGemini(&seen)
	if err != nil { // of an interaction that failed
		return nil
	}
	a.by.note(answer)
	if answer.UsageMetadata != nil {
		a.usage = answer.UsageMetadata
	}
	if c := gemini.FirstCandidate(answer); c != nil && c.FinishReason != nil {
		a.reason = normalize.MapFinishReason(*c.FinishReason)
	}
	return nil
}

// own stores whose an interaction is.
func (a *agentPassage) own(in *interactionsapi.Interaction, id string) error {
	body, err := interactions.EncodeResponse(&interactionsapi.Interaction{ID: &id, Agent: in.Agent,
		Status: interactionsapi.InteractionStatusInProgress})
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(a.call.request.Context())
	return a.kept.Store.Put(ctx, a.kept.Owner,
		responsestore.Write{Document: &responsestore.Document{ID: id, JSON: body}})
}

// finish records what the answer reported.
func (a *agentPassage) finish() {
	a.noteModels(&a.by)
	a.end.Service = a.service()
	a.end.FinishReason = a.reason
	a.noteCost(&a.by, nil, normalize.NewUsage(a.usage))
}

// failed passes on an error of Google, except for errors about the gateway's own key. An answer
// that has begun is cut off, unless its stream has reported the error.
func (a *agentPassage) failed(err error) *problem.Problem {
	p := a.call.failed(err)
	_, isSent := errors.AsType[*interactions.Error](err)
	reported, isReported := errors.AsType[*gemini.Error](err)
	switch {
	case a.isAnswered && (isSent || a.end.Canceled):
		return p
	case a.isAnswered:
		return a.cutOff(p)
	case !isReported || !reported.FromAPI() || p.Code == problem.CodeKeyRefused ||
		!problem.IsErrorStatus(reported.HTTPStatus):
		return p
	}
	a.note(p)
	p.SetHeaders(a.writer.Header())
	a.writeWhole(reported.HTTPStatus, a.withoutSecrets(reported.RawBody()))
	return nil
}

// isGoogles reports whether an id may be the id of an interaction of an agent, which Google made.
func (c *call) isGoogles(id string) bool {
	return c.noAgents() == "" && !history.KindInteraction.Names(id) && history.IsID(id)
}

// passInteraction passes on a request that reads, cancels or deletes an interaction of an agent.
func (c *call) passInteraction(id string, isStream bool) *problem.Problem {
	a := &agentPassage{call: c, isStream: isStream}
	c.end.Stream = isStream
	if p := a.prepare(); p != nil {
		return p
	}
	if p := a.mayRead(id); p != nil {
		return p
	}
	reply, err := a.forward(c.request.Context(),
		ModelSettings{FirstByte: agentTime, Idle: agentTime})
	if err != nil {
		return c.failed(err)
	}
	defer func() { _ = reply.Close() }()
	c.end.Service = c.service()
	switch {
	case reply.HTTPStatus == http.StatusNotFound:
		return c.noAgentsInteraction(id)
	case reply.HTTPStatus >= http.StatusBadRequest:
		err = refusedReply(reply)
	default:
		err = a.pass(reply)
	}
	a.finishRead()
	if err != nil {
		return a.failed(err)
	}
	if c.request.Method == http.MethodDelete && a.kept != nil {
		// which is deleted at Google already
		_ = a.kept.Store.Delete(c.request.Context(), a.kept.Owner, id)
	}
	return nil
}

// finishRead records how an interaction ended. Tokens are not recorded, because each poll would
// count them again.
func (a *agentPassage) finishRead() { a.end.FinishReason = a.reason }

// mayRead refuses an interaction of another client.
func (a *agentPassage) mayRead(id string) *problem.Problem {
	if !a.hasManyClients() {
		return nil
	}
	if a.kept == nil {
		return a.noAgentsInteraction(id)
	}
	document, err := a.kept.Store.Get(a.call.request.Context(), a.kept.Owner, id)
	if err != nil {
		return a.noInteraction(err, id)
	}
	in, err := interactions.DecodeResponse(document.JSON)
	if err != nil {
		return a.call.failed(err)
	}
	return a.permitModel(string(jsonx.Deref(in.Agent)))
}

// noAgentsInteraction is the problem of an id that neither Google nor the gateway knows.
func (c *call) noAgentsInteraction(id string) *problem.Problem {
	if c.responseStore == nil {
		return notStored(id)
	}
	return c.noInteraction(responsestore.ErrNotFound, id)
}

// notStored is the problem of an interaction on a gateway without a store.
func notStored(id string) *problem.Problem {
	return notKept("", "interaction "+id+
		" not found: stored interactions are not enabled on this gateway (--store)")
}
