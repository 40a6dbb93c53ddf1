package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// nativePassage passes a call of a model's method through: it copies bytes and inspects them.
type nativePassage struct {
	*call
	op     native.Operation
	query  string // that is passed on
	sent   []byte // the body, as the upstream gets it
	own    *upstream.Account
	by     answeredBy
	reason normalize.FinishReason
	usage  *geminiapi.UsageMetadata
	chunks int
	// textSize is the number of bytes of text in the chunks, see [streaming].
	textSize int
	// beats writes a stream of events. It is nil for any other answer.
	beats *eventwriter.Writer
	// isObserved reports whether the client already has the stream's error.
	isObserved bool
}

// passToModel passes a call of a model's method on.
func (c *call) passToModel(op native.Operation) *problem.Problem {
	c.end.Stream = op.Verb == native.VerbStream
	if p := c.askFor(op.Model); p != nil {
		return p
	}
	query, p := c.nativeQuery(op)
	if p != nil {
		return p
	}
	if c.inProcess != nil && c.request.URL.Query().Get("alt") == "sse" {
		return notWhole("/alt")
	}
	models, p := c.route(op.Model)
	if p != nil {
		return p
	}
	n := &nativePassage{call: c, op: op, query: query, sent: c.body}
	if store, isSet := c.stores(); isSet {
		n.sent = native.WithStore(op.Verb, c.body, store)
	}
	if c.convertsOnly() {
		return n.convertOnly(models[0])
	}
	if n.own, p = c.ownAccount(); p != nil {
		return p
	}
	if p := c.reserveNative(op, models[0], n.sent); p != nil {
		return p
	}
	ctx, cancel := c.limited(models)
	defer cancel()
	call := &upstream.Call{
		Models: models, Method: op.Method(), Attempts: c.maxAttempts(),
		Repeats: c.nativeRepeats(op), Only: n.own,
		Try:       func(t *upstream.Try) error { return n.try(ctx, t) },
		OnAttempt: c.onAttempt(), RequestID: n.id,
	}
	n.observeReturned()
	n.startBeats()
	defer n.stopBeats()
	err := c.pool.Run(ctx, call)
	n.finish()
	if err != nil {
		n.estimate()
		return n.failed(err)
	}
	return nil
}

// try makes one attempt. It returns a *[gemini.Error] if Google answers with an error.
func (n *nativePassage) try(ctx context.Context, t *upstream.Try) error {
	if s := &n.spending; len(s.limits) > 0 && t.Model != s.estimate.model {
		if p := n.reserveNative(n.op, t.Model, n.sent); p != nil { // of a fallback
			return p
		}
	}
	n.by.begin(t)
	n.beginAttempt(t)
	request := n.nativeRequest(n.op, n.query)
	request.Model, request.Verb, request.Body = t.Model, n.op.Verb, n.sent
	opts := n.limits(t.Model).options(n.op.Verb == native.VerbStream)
	if n.recorders.WantsBodies() && !n.recorders.IsBetween { // the server's own form
		opts = append(opts, gemini.WithMiddleware(n.recorders.Requests))
	}
	reply, err := t.Account.Client.Forward(ctx, &request, opts...)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Close() }()
	n.by.noteHead(reply.Header)
	if n.isBridged(t.Model) {
		reply.Header.Set(headerLosses, n.lostOnward())
	}
	if reply.HTTPStatus >= http.StatusBadRequest {
		return n.refused(reply)
	}
	if n.beats != nil {
		return n.passBeating(t, reply)
	}
	n.showModel(t.Model)
	if n.op.Verb == native.VerbStream {
		return n.passStream(t, reply)
	}
	return n.passWhole(t, reply)
}

// refused returns the error in Google's answer.
func (n *nativePassage) refused(reply *gemini.ForwardReply) error {
	body, err := io.ReadAll(reply) // up to 1 MiB
	if err != nil {
		return err
	}
	n.observeReply(reply, body)
	return gemini.DecodeError(reply.HTTPStatus, reply.Header, body)
}

// passWhole passes on an answer with one body.
func (n *nativePassage) passWhole(t *upstream.Try, reply *gemini.ForwardReply) error {
	body, err := io.ReadAll(reply)
	if err != nil {
		return err
	}
	n.observeReply(reply, body)
	var answer *geminiapi.GenerateContentResponse // nil if it cannot be read
	if n.op.Verb == native.VerbGenerate {
		answer, _ = gemini.DecodeResponse(body)
	}
	if answer != nil {
		if unusable := n.unusable(t, answer); unusable != nil {
			n.by.note(answer)
			n.keepEarlier(&n.by, nil, answer.UsageMetadata)
			return unusable
		}
	}
	t.Begun()
	switch {
	case answer != nil:
		n.look("", answer)
		n.showModel(n.by.model())
	case n.op.Verb == verbEmbed, n.op.Verb == verbEmbedAll:
		n.lookAtVectors(body)
	}
	native.SetReplyHeader(n.writer.Header(), n.request, reply, &n.recorders.Secrets)
	n.writeWhole(reply.HTTPStatus, body)
	return nil
}

// lookAtVectors records the tokens of embeddings, which not every model reports.
func (n *nativePassage) lookAtVectors(body []byte) {
	answer, err := gemini.Decode[geminiapi.EmbedContentResponse](body)
	if err != nil || answer.UsageMetadata == nil || answer.UsageMetadata.PromptTokenCount == nil {
		return
	}
	tokens := answer.UsageMetadata.PromptTokenCount
	n.usage = &geminiapi.UsageMetadata{PromptTokenCount: tokens, TotalTokenCount: tokens}
}

// finish records what the answer reported.
func (n *nativePassage) finish() {
	if n.recorders.IsBetween {
		n.observeReports(n.onward.request, n.onward.answer)
	}
	n.noteModels(&n.by)
	n.end.FinishReason = n.reason
	n.end.Service = n.service()
	n.noteCost(&n.by, nil, normalize.NewUsage(n.usage))
	n.addEarlier()
}

// estimate estimates the tokens of a stream that was cut off before it reported them.
func (n *nativePassage) estimate() {
	if n.usage == nil && n.textSize > 0 {
		n.noteEstimate(&n.by, nil, n.textSize)
		n.addEarlier()
	}
}

// failed passes on Google's error, except for errors about the gateway's own key. An answer that
// has begun ends at once, and the client sees that it is incomplete. Google's errors within a
// stream were already passed on.
func (n *nativePassage) failed(err error) *problem.Problem {
	if p, ok := err.(*problem.Problem); ok {
		return p
	}
	p := n.ofCall(err)
	if n.isEnding() {
		p = problem.Closing()
	}
	p.Shorten()
	n.blank(p)
	reported, isReported := errors.AsType[*gemini.Error](err)
	switch {
	case n.beats != nil && !n.beats.Abandon():
		return n.failBeating(p, reported)
	case n.isAnswered && isReported:
		return p
	case n.isAnswered:
		return n.cutOff(p)
	case !isReported || !reported.FromAPI() || p.Code == problem.CodeKeyRefused ||
		!problem.IsErrorStatus(reported.HTTPStatus):
		return p
	}
	body := n.withoutSecrets(reported.RawBody())
	if p.Code == problem.CodeModelNotFound {
		body = n.hintModelIn(body, n.op.Model)
	}
	n.note(p)
	p.SetHeaders(n.writer.Header())
	n.writeWhole(reported.HTTPStatus, body)
	return nil
}

// look records the tokens, the end and the signatures of an answer, or of a chunk at an index.
func (n *nativePassage) look(place string, r *geminiapi.GenerateContentResponse) {
	n.by.note(r)
	if r.UsageMetadata != nil {
		n.usage = r.UsageMetadata
	}
	if len(r.Candidates) > 0 && r.Candidates[0].FinishReason != nil {
		n.reason = normalize.MapFinishReason(*r.Candidates[0].FinishReason)
	}
	n.recorders.GivenSignatures(place, r, n.carrier)
}

// observeReturned reports the signatures that the client sends back, if observers record bodies.
func (n *nativePassage) observeReturned() {
	if !n.recorders.WantsBodies() {
		return
	}
	if request, err := gemini.DecodeRequest(n.body); err == nil {
		n.recorders.ReturnedSignatures(request, n.carrier)
	}
}

// observeReply reports a reply of Google, with its body unless it is a stream. For a server of
// OpenAI's API the chat upstream reports that server's own reply.
func (n *nativePassage) observeReply(reply *gemini.ForwardReply, body []byte) {
	if n.recorders.WantsBodies() && !n.recorders.IsBetween {
		n.recorders.Response(exchange.Upstream,
			exchange.Response{Status: reply.HTTPStatus, Header: reply.Header, Body: body})
	}
}

// observeChunks reports chunks that were passed on.
func (n *nativePassage) observeChunks(chunks []nativeChunk) {
	for i := range chunks {
		n.observeChunk(chunks[i].data, chunks[i].chunk)
	}
}

// observeChunk reports a chunk of a stream. A chunk from Google is the same on both sides.
func (n *nativePassage) observeChunk(data []byte, chunk *geminiapi.GenerateContentResponse) {
	if n.recorders.WantsBodies() {
		if !n.recorders.IsBetween {
			n.recorders.Chunk(exchange.Upstream, data)
		}
		n.recorders.Chunk(exchange.Client, data)
	}
	n.look("/"+strconv.Itoa(n.chunks), chunk)
	n.textSize += textSize(chunk)
	n.chunks++
}

// carrier reports that a signature is passed on unchanged.
func (n *nativePassage) carrier(exchange.Side, *geminiapi.Part) exchange.Carrier {
	return exchange.CarrierNative
}

// passing returns a writer for the body of an answer that is passed on as it arrives.
func (c *call) passing() *passing {
	return &passing{call: c, deadline: eventwriter.NewDeadline(c.writer, c.writeTimeout)}
}

// passing writes and flushes.
type passing struct {
	*call
	deadline *eventwriter.Deadline
}

func (p *passing) write(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	p.deadline.Extend()
	n, err := p.writer.Write(data)
	p.end.BytesOut += int64(n)
	if err != nil {
		return err
	}
	return p.deadline.Flush()
}

// Write appends to the buffer, which is a copy of what a reader reads.
func (b *buffer) Write(data []byte) (int, error) {
	b.data = append(b.data, data...)
	return len(data), nil
}
