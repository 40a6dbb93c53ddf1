package geminibatch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/answercheck"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json"
)

// Executor is a [bulk.Executor] that uses Gemini's batch mode. [New] makes it. It is safe for
// concurrent use.
type Executor struct {
	client  *gemini.Client
	live    bulk.Executor
	gateway *gateway.Handler

	noFallback  bool
	card        *ratecard.Card
	patience    time.Duration
	firstPoll   time.Duration
	longestPoll time.Duration
	sweepEvery  time.Duration
	swept       atomic.Int64 // when it was last, in nanoseconds of Unix time
	answers     answercheck.Checker
	budget      *budget.Budget // nil for no maximum
	spending    Spending       // nil without
}

// Option configures an executor.
type Option func(*Executor)

// The defaults.
const (
	// DefaultPatience is one day, Google's target time for batches.
	DefaultPatience = 24 * time.Hour
	// DefaultFirstPoll is the time between the first polls of a batch. DefaultLongestPoll is the
	// time between later ones.
	DefaultFirstPoll   = 30 * time.Second
	DefaultLongestPoll = 5 * time.Minute
	// DefaultSweepEvery is the interval of checks of all batches of the project.
	DefaultSweepEvery = time.Minute
)

// WithRateCard adds the cost to results, at the card's batch prices.
func WithRateCard(card *ratecard.Card) Option { return func(e *Executor) { e.card = card } }

// WithBudget stops before batches cost more than a budget. Each line must limit its output tokens,
// because the cost of a batch is known only when it ends. The executor must have only one job then.
func WithBudget(b *budget.Budget) Option { return func(e *Executor) { e.budget = b } }

// WithoutLiveFallback pauses a job before a line would be called live, at the full price. The
// reason of the pause is [ReasonLive]. By default such lines are called live.
func WithoutLiveFallback() Option { return func(e *Executor) { e.noFallback = true } }

// ReasonLive is the reason of a pause; see [WithoutLiveFallback].
const ReasonLive = "lines without an answer in batch mode need calls at the full price"

// liveRest is how long a job is paused because of [ReasonLive]. A person has to decide.
const liveRest = 7 * 24 * time.Hour

// WithPolling sets how often a batch is polled: first at the first interval, and then at a tenth of
// the batch's age, up to the longest interval.
func WithPolling(first, longest time.Duration) Option {
	return func(e *Executor) { e.firstPoll, e.longestPoll = first, longest }
}

// WithSweepEvery sets how often all batches of the project are checked for batches of cancelled
// jobs.
func WithSweepEvery(d time.Duration) Option { return func(e *Executor) { e.sweepEvery = d } }

// New returns an executor. The client must use the Gemini API, because Vertex AI has batches of
// another kind. The gateway converts the lines ([gateway.Handler.Convert]), for example with its
// aliases. Live answers what the batch mode does not.
func New(client *gemini.Client, handler *gateway.Handler, live bulk.Executor,
	opts ...Option) (*Executor, error) {
	if client == nil || handler == nil || live == nil {
		return nil, errors.New("geminibatch: a client, a gateway and a live executor are required")
	}
	e := &Executor{
		client: client, live: live, gateway: handler,
		patience: DefaultPatience, firstPoll: DefaultFirstPoll, longestPoll: DefaultLongestPoll,
		sweepEvery: DefaultSweepEvery,
	}
	option.Apply(e, opts)
	return e, nil
}

// Window implements [bulk.Announcer]. A batch is found again by its note or its name, so none of
// its lines is repeated. Only live calls are.
func (e *Executor) Window([]byte) int { return 0 }

// Run implements [bulk.Executor]: it creates the batch of a range, or polls it. A range with
// several models has a batch for each.
func (e *Executor) Run(ctx context.Context, item *bulk.Item) error {
	if len(item.Job.Models) < 2 {
		return e.runPart(ctx, item, "")
	}
	return e.runParts(ctx, item)
}

// runPart creates or polls the batch of an item whose lines have the same model. Model is the model
// if the range has several, and "" if not.
func (e *Executor) runPart(ctx context.Context, item *bulk.Item, model string) error {
	n, err := readBatchState(item.Note())
	if err != nil {
		return err
	}
	r := &run{Executor: e, item: item, note: n, model: model}
	switch {
	case n.IsOver:
		return e.runLive(ctx, item)
	case n.Batch == "":
		return r.create(ctx)
	}
	if err := r.restore(ctx); err != nil {
		return err
	}
	return r.poll(ctx)
}

// run is one step of work at a range.
type run struct {
	*Executor
	item *bulk.Item
	note batchState
	// model is the model of the lines if the range has several, and otherwise "".
	model string
	// discarded is the usage of the batch's answers that belongs to no line and is not stored yet.
	discarded line.Usage
}

// keep stores the note with the range, and the discarded usage.
func (r *run) keep(ctx context.Context) error {
	note, err := json.Marshal(&r.note)
	if err != nil {
		return err
	}
	err = r.item.Discard(ctx, note, r.discarded)
	if err == nil {
		r.discarded = line.Usage{}
	}
	return err
}

// isStopping reports whether no more work should begin.
func (r *run) isStopping() bool {
	select {
	case <-r.item.Stopping():
		return true
	default:
		return false
	}
}

// askLive calls lines live. From here on the live executor decides about the range.
func (r *run) askLive(ctx context.Context, lines []line.Line) error {
	r.release()
	if len(lines) == 0 {
		return nil
	}
	r.note.IsOver = true
	if err := r.keep(ctx); err != nil {
		return err
	}
	rest := *r.item
	rest.Lines = lines
	return r.runLive(ctx, &rest)
}

// runLive calls the lines of an item live, if that is allowed.
func (e *Executor) runLive(ctx context.Context, item *bulk.Item) error {
	if e.noFallback && len(item.Lines) > 0 {
		return &bulk.LaterError{After: liveRest, Park: true, Reason: ReasonLive}
	}
	return e.live.Run(ctx, item)
}

// How long a job or a range is paused for a failure that is not about its lines.
const (
	quotaRest = time.Hour
	keyRest   = 5 * time.Minute
	// limitRest is the pause of a range if the project has too many batches.
	limitRest   = 2 * time.Minute
	failureRest = 30 * time.Second
)

// waitAfter returns how long to wait after a failed Gemini call.
func waitAfter(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	reason := err.Error()
	if host := transporterror.Host(err); transporterror.IsWellKnown(host) {
		reason = host + ": " + reason
	}
	later := &bulk.LaterError{After: failureRest, Reason: "Gemini's batch mode: " + reason}
	reported, ok := errors.AsType[*gemini.Error](err)
	switch {
	case !ok:
	case reported.IsDailyQuota():
		later.After, later.Park = quotaRest, true
	case reported.RefusesCredential():
		later.After, later.Park = keyRest, true
	case reported.Category() == gemini.CategoryRateLimit:
		later.After = max(limitRest, reported.RetryAfter)
	}
	return later
}
