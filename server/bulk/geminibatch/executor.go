package geminibatch

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// Executor is a [bulk.Executor] by Gemini's batch mode. It is made by [New], and safe for use by
// several goroutines.
type Executor struct {
	client    *gemini.Client
	live      bulk.Executor
	converter *converter

	card        *ratecard.Card
	patience    time.Duration
	firstPoll   time.Duration
	longestPoll time.Duration
	sweepEvery  time.Duration
	swept       atomic.Int64 // when it was last, in nanoseconds of Unix time
}

// Option changes an executor.
type Option func(*Executor)

// The defaults.
const (
	// DefaultPatience is a day, in which Google means to answer batches.
	DefaultPatience = 24 * time.Hour
	// DefaultFirstPoll is the time between the first looks at a batch, DefaultLongestPoll that
	// between later ones.
	DefaultFirstPoll   = 30 * time.Second
	DefaultLongestPoll = 5 * time.Minute
	// DefaultSweepEvery is the time between two looks at all batches of the project.
	DefaultSweepEvery = time.Minute
)

// WithRateCard has results tell what they cost, by the card's prices for batches.
func WithRateCard(card *ratecard.Card) Option { return func(e *Executor) { e.card = card } }

// WithPolling sets how often a batch is looked at: at first after one time, and then after a tenth
// of its age, up to the other time.
func WithPolling(first, longest time.Duration) Option {
	return func(e *Executor) { e.firstPoll, e.longestPoll = first, longest }
}

// WithSweepEvery sets how often all batches of the project are looked at, for those of jobs that
// were cancelled.
func WithSweepEvery(d time.Duration) Option { return func(e *Executor) { e.sweepEvery = d } }

// New returns an executor. The client is one of the Gemini API, since Vertex AI has batches of
// another kind. The gateway converts the lines, by its aliases for example; its observers do not
// see that. Live answers what the batch mode does not.
func New(client *gemini.Client, handler *gateway.Handler, live bulk.Executor,
	opts ...Option) (*Executor, error) {
	if client == nil || handler == nil || live == nil {
		return nil, errors.New("geminibatch: a client, a gateway and an executor for the lines that batches do not answer are needed")
	}
	e := &Executor{
		client: client, live: live, converter: newConverter(handler),
		patience: DefaultPatience, firstPoll: DefaultFirstPoll, longestPoll: DefaultLongestPoll,
		sweepEvery: DefaultSweepEvery,
	}
	option.Apply(e, opts)
	return e, nil
}

// Run implements [bulk.Executor]: it makes the batch of a range, or looks how far it is.
func (e *Executor) Run(ctx context.Context, item *bulk.Item) error {
	n, err := readBatchState(item.Note())
	if err != nil {
		return err
	}
	r := &run{Executor: e, item: item, note: n}
	switch {
	case n.IsOver:
		return e.live.Run(ctx, item)
	case n.Batch == "":
		return r.create(ctx)
	default:
		return r.poll(ctx)
	}
}

// run is one look at a range.
type run struct {
	*Executor
	item *bulk.Item
	note batchState
	// discarded is what answers of the batch have used that no line has, and that is not kept yet.
	discarded line.Usage
}

// keep keeps the note with the range, and what was discarded.
func (r *run) keep(ctx context.Context) error {
	err := r.item.Discard(ctx, r.note.encode(), r.discarded)
	if err == nil {
		r.discarded = line.Usage{}
	}
	return err
}

// isStopping reports whether nothing is to begin any more.
func (r *run) isStopping() bool {
	select {
	case <-r.item.Stopping():
		return true
	default:
		return false
	}
}

// askLive has lines asked live. What becomes of the range from here on is the business of the other
// executor.
func (r *run) askLive(ctx context.Context, lines []line.Line) error {
	if len(lines) == 0 {
		return nil
	}
	r.note.IsOver = true
	if err := r.keep(ctx); err != nil {
		return err
	}
	rest := *r.item
	rest.Lines = lines
	return r.live.Run(ctx, &rest)
}

// How long a job or a range waits for what no line can help.
const (
	quotaRest = time.Hour
	keyRest   = 5 * time.Minute
	// limitRest is that of a range for which there is no room among the batches of the project.
	limitRest   = 2 * time.Minute
	failureRest = 30 * time.Second
)

// waitAfter says how long to wait after a failed call of Gemini.
func waitAfter(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	later := &bulk.LaterError{After: failureRest, Reason: "Gemini's batch mode: " + err.Error()}
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
