package gateway

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/native"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/ratecard"
)

// answering is a turn while a model answers it.
type answering struct {
	*call
	turn *turn.Turn
	own  *upstream.Account // the caller's account, nil for the gateway's accounts

	by     answeredBy
	report report.Report // of the request for that model
	// converted is the request for the first attempt if it was converted before.
	converted *converted
	tier      *geminiapi.ServiceTier
	usage     *geminiapi.UsageMetadata
	// mayBeEmpty reports that an empty answer can be right.
	mayBeEmpty bool

	hasEnded bool
}

// generate sends a turn to a model and writes the answer.
func (c *call) generate(t *turn.Turn) *problem.Problem {
	a := &answering{call: c, turn: t}
	c.end.Stream = t.Streams()
	if p := c.askFor(t.Model()); p != nil {
		return p
	}
	models, p := c.route(t.Model())
	if p != nil {
		return p
	}
	if slices.ContainsFunc(models, c.isBridged) {
		t.CountsAtEnd = t.Form.CountsFirst
	}
	if c.convertsOnly() {
		return a.convertOnly(models[0])
	}
	if a.own, p = c.ownAccount(); p != nil {
		return p
	}
	ctx, cancel := c.limited(models)
	defer cancel()
	if t.Streams() {
		return a.stream(ctx, models)
	}
	return a.whole(ctx, models)
}

// limited returns the context of a request. The context ends when the client disconnects or when
// the first model's time limit expires.
func (c *call) limited(models []string) (context.Context, context.CancelFunc) {
	limit := c.limits(models[0]).Overall
	return context.WithTimeoutCause(c.watched(models), limit,
		&gemini.TimeoutError{Limit: "overall", After: limit})
}

// upstreamCall returns the Gemini call of one attempt.
func (a *answering) upstreamCall(models []string, try func(*upstream.Try) error) *upstream.Call {
	return &upstream.Call{
		Models: models, Method: native.VerbGenerate, Attempts: a.maxAttempts(),
		Repeats: a.maxRepeats(), Only: a.own, Try: try, OnAttempt: a.onAttempt(), RequestID: a.id,
	}
}

// whole answers with one body.
func (a *answering) whole(ctx context.Context, models []string) *problem.Problem {
	answer, err := a.shorten(ctx, models)
	if err == nil && answer == nil {
		answer, err = a.wholeAnswer(ctx, models)
	}
	if err != nil {
		a.ended(turn.Finished{})
		return a.failed(err)
	}
	return a.writeAnswer(answer)
}

// wholeAnswer requests an answer with one body.
func (a *answering) wholeAnswer(ctx context.Context, models []string) (
	answer *geminiapi.GenerateContentResponse, err error) {
	err = a.pool.Run(ctx, a.upstreamCall(models, func(t *upstream.Try) error {
		request, err := a.convert(t)
		if err != nil {
			return err
		}
		opts, ended := a.recorders.Captured(false, a.options(t.Model))
		opts = a.withHeads(opts)
		answer, err = t.Account.Client.GenerateContent(inbound.Answer(ctx), request, opts...)
		if err == nil {
			err = a.unusable(t, answer)
		}
		ended(err)
		return err
	}))
	return answer, err
}

// writeAnswer writes a complete answer in the client's form.
func (a *answering) writeAnswer(answer *geminiapi.GenerateContentResponse) *problem.Problem {
	a.usage = answer.UsageMetadata
	a.by.note(answer)
	a.report = withOnward(a.report, a.onward.request, ofGemini)
	identifyAnswer(answer, a.id)
	a.recorders.GivenSignatures("", answer, a.turn.Carrier)
	buf := takeBuffer()
	defer buf.release()
	var end turn.Finished
	var err error
	buf.data, end, err = a.turn.AppendWhole(buf.data, answer, a.details())
	a.ended(end)
	if err != nil {
		return a.failed(err)
	}
	a.showModel(a.by.model())
	a.writer.Header().Set(headerLosses, strconv.Itoa(a.end.Lost))
	a.writeWhole(200, buf.data)
	return nil
}

// headerLosses is the header with the number of losses.
const headerLosses = "X-Gemwire-Losses"

// convert converts the request for the model of this attempt.
func (a *answering) convert(t *upstream.Try) (*geminiapi.GenerateContentRequest, error) {
	a.beginAttempt(t)
	request, report, err := a.toGemini(t.Model)
	a.report = report // also of a request that is refused
	if err != nil {
		return nil, err
	}
	request.Model = &t.Model
	a.mayBeEmpty = mayAnswerEmpty(request)
	addRetryHint(request, t.Unusable)
	a.tier = request.ServiceTier
	if p := a.reserve(estimateOf(t.Model, a.turn.Streams(), request)); p != nil {
		return nil, p
	}
	// Other servers and agents may cite sources in any answer.
	a.turn.Options.Ungrounded = !a.recorders.IsBetween && !turn.MayBeGrounded(request)
	a.by.begin(t)
	a.end.Service = a.service()
	a.recorders.ReturnedSignatures(request, a.turn.Carrier)
	return request, nil
}

// options returns the options for a call of a model.
func (a *answering) options(model string) []gemini.CallOption {
	return a.limits(model).options(a.turn.Streams())
}

// withHeads adds an option that records the headers of replies, if there are prices that depend on
// them.
func (a *answering) withHeads(opts []gemini.CallOption) []gemini.CallOption {
	if a.card == nil {
		return opts
	}
	return append(opts, gemini.WithMiddleware(a.by.heads))
}

// details returns the extra facts that an answer may report about its processing.
func (a *answering) details() turn.Details {
	out := turn.Details{Report: a.report}
	if a.costInUsage {
		out.Cost = a.cost()
	}
	return out
}

// cost returns the cost of the answer so far, with the answers before it. It is nil if the cost of
// the answer is unknown.
func (a *answering) cost() *ratecard.Cost {
	if a.card == nil {
		return nil
	}
	cost, _ := a.price(&a.by, a.tier, normalize.NewUsage(a.usage), a.start)
	for i := range a.earlier {
		w := &a.earlier[i]
		more, _ := a.price(&w.by, w.tier, normalize.NewUsage(w.usage), a.start)
		cost = sumOf(cost, more)
	}
	return cost
}

// ended records the outcome of an answer, or of a failed attempt.
func (a *answering) ended(end turn.Finished) {
	if a.hasEnded { // and the client left before it heard of it
		return
	}
	a.hasEnded = true
	e := &a.end
	a.noteModels(&a.by)
	e.FinishReason = end.Reason
	a.noteCost(&a.by, a.tier, normalize.NewUsage(a.usage))
	a.addEarlier()
	a.observeReports(a.report, withOnward(end.Report, a.onward.answer, ofUpstream))
}

// identifyAnswer sets the id of an answer without one to the request's id. The ids of the answer's
// calls are made from it, so they are unique.
func identifyAnswer(answer *geminiapi.GenerateContentResponse, id string) {
	if answer.ResponseID == nil || *answer.ResponseID == "" {
		answer.ResponseID = new(id)
	}
}

// buffer is reusable memory for a body or for the events of a chunk.
type buffer struct{ data []byte }

var buffers = sync.Pool{New: func() any { return &buffer{data: make([]byte, 0, 2<<10)} }}

// largestBuffer is the size above which a buffer is not reused.
const largestBuffer = 256 << 10

func takeBuffer() *buffer { return buffers.Get().(*buffer) }

// release returns the buffer to the pool. Nothing may refer to its bytes after that.
func (b *buffer) release() {
	if cap(b.data) <= largestBuffer {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}
