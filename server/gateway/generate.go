package gateway

import (
	"context"
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

// answering is a turn on its way to a model and back.
type answering struct {
	*call
	turn *turn.Turn
	own  *upstream.Account // the caller's, nil for those of the gateway

	by     answeredBy
	report report.Report // of the request for that model
	tier   *geminiapi.ServiceTier
	usage  *geminiapi.UsageMetadata

	hasEnded bool
}

// generate has a turn answered.
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

// limited returns the context of a request, which ends when the client leaves, or at the limit of
// the first model.
func (c *call) limited(models []string) (context.Context, context.CancelFunc) {
	limit := c.limits(models[0]).Overall
	return context.WithTimeoutCause(c.watched(), limit,
		&gemini.TimeoutError{Limit: "overall", After: limit})
}

// upstreamCall returns the call of Gemini that a try makes.
func (a *answering) upstreamCall(models []string, try func(*upstream.Try) error) *upstream.Call {
	return &upstream.Call{
		Models: models, Method: native.VerbGenerate, Attempts: a.maxAttempts(), Only: a.own,
		Try: try, OnAttempt: a.onAttempt(),
	}
}

// whole answers with one body.
func (a *answering) whole(ctx context.Context, models []string) *problem.Problem {
	var answer *geminiapi.GenerateContentResponse
	err := a.pool.Run(ctx, a.upstreamCall(models, func(t *upstream.Try) error {
		request, err := a.convert(t)
		if err != nil {
			return err
		}
		opts, ended := a.recorders.Captured(false, a.options(t.Model))
		opts = a.withHeads(opts)
		answer, err = t.Account.Client.GenerateContent(inbound.Answer(ctx), request, opts...)
		ended(err)
		return err
	}))
	if err != nil {
		a.ended(turn.Finished{})
		return a.failed(err)
	}
	return a.writeAnswer(answer)
}

// writeAnswer writes a whole answer in the client's form.
func (a *answering) writeAnswer(answer *geminiapi.GenerateContentResponse) *problem.Problem {
	a.usage = answer.UsageMetadata
	a.by.note(answer)
	a.report = withOnward(a.report, a.onward.request)
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

// convert converts the request for the model of an attempt.
func (a *answering) convert(t *upstream.Try) (*geminiapi.GenerateContentRequest, error) {
	request, report, err := a.turn.ToGemini(a.targetOf(t.Model))
	a.report = report // also of a request that is refused
	if err != nil {
		return nil, err
	}
	request.Model = &t.Model
	a.tier = request.ServiceTier
	// Other servers may cite sources in any answer.
	a.turn.Options.Ungrounded = a.upstream.Service != OpenAI && !turn.MayBeGrounded(request)
	a.by.begin(t)
	a.end.Service = a.service()
	a.recorders.ReturnedSignatures(request, a.turn.Carrier)
	return request, nil
}

// options returns the options of a call of a model.
func (a *answering) options(model string) []gemini.CallOption {
	return a.limits(model).options(a.turn.Streams())
}

// withHeads returns the options of a call with one that notes the heads of replies, where there are
// prices to go by them.
func (a *answering) withHeads(opts []gemini.CallOption) []gemini.CallOption {
	if a.card == nil {
		return opts
	}
	return append(opts, gemini.WithMiddleware(a.by.heads))
}

// told returns what an answer may tell of its way.
func (a *answering) details() turn.Details {
	out := turn.Details{Report: a.report}
	if a.costInUsage {
		out.Cost = a.cost()
	}
	return out
}

// cost returns what the answer so far cost, nil where nobody knows.
func (a *answering) cost() *ratecard.Cost {
	if a.card == nil {
		return nil
	}
	return a.price(&a.by, a.tier, normalize.NewUsage(a.usage), a.start)
}

// ended notes what is known at the end of an answer, or of the way to one that failed.
func (a *answering) ended(end turn.Finished) {
	if a.hasEnded { // and the client left before it heard of it
		return
	}
	a.hasEnded = true
	e := &a.end
	a.noteModels(&a.by)
	e.FinishReason = end.Reason
	e.Usage = normalize.NewUsage(a.usage)
	e.Cost = a.cost()
	a.tellReports(a.report, withOnward(end.Report, a.onward.answer))
}

// identifyAnswer gives an answer without an id that of the request, by which the ids of its calls
// are its own.
func identifyAnswer(answer *geminiapi.GenerateContentResponse, id string) {
	if answer.ResponseID == nil || *answer.ResponseID == "" {
		answer.ResponseID = new(id)
	}
}

// buffer is memory for a body or the events of a chunk.
type buffer struct{ data []byte }

var buffers = sync.Pool{New: func() any { return &buffer{data: make([]byte, 0, 2<<10)} }}

// largestBuffer is the size above which memory is not kept for others.
const largestBuffer = 256 << 10

func takeBuffer() *buffer { return buffers.Get().(*buffer) }

// release gives the memory to others. Nothing may hold on to it.
func (b *buffer) release() {
	if cap(b.data) <= largestBuffer {
		b.data = b.data[:0]
		buffers.Put(b)
	}
}
