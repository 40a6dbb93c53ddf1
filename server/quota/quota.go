package quota

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/option"
)

// Quota enforces limits. [New] makes it. It is safe for concurrent use.
type Quota struct {
	ledger  Ledger // nil for this process only
	replica string
	refuses bool // without the ledger
	now     func() time.Time
	logger  *slog.Logger

	mu     sync.Mutex
	meters map[string]*meter
	// reported is when an error of the ledger was logged last.
	reported time.Time

	stop context.CancelFunc
	done chan struct{}
}

// ErrUnavailable is returned if the ledger does not answer, and the policy is to refuse.
var ErrUnavailable = errors.New("quota: the store that counts the limits does not answer")

const (
	// syncPause is how often replicas report what was used.
	syncPause = 100 * time.Millisecond
	// idleTime is how long a replica holds units for future requests.
	idleTime = time.Second
	// reportPause is the pause between two log lines about the ledger.
	reportPause = time.Minute
)

// Option configures a [Quota].
type Option func(*Quota)

// On shares the limits with other replicas. With nil, the default, they apply to this process.
func On(ledger Ledger) Option { return func(q *Quota) { q.ledger = ledger } }

// RefuseWithoutLedger refuses requests with [ErrUnavailable] while the ledger does not answer. By
// default the replica then counts for itself from what it last knew.
func RefuseWithoutLedger() Option { return func(q *Quota) { q.refuses = true } }

// WithClock sets the clock (default [time.Now]).
func WithClock(now func() time.Time) Option { return func(q *Quota) { q.now = now } }

// WithLogger sets the log for errors of the ledger. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(q *Quota) { q.logger = logger } }

// New returns a quota. With a ledger it starts a goroutine that runs until [Quota.Close].
func New(opts ...Option) *Quota {
	var id [8]byte
	_, _ = rand.Read(id[:]) // it never fails
	q := &Quota{replica: hex.EncodeToString(id[:]), now: time.Now,
		logger: slog.New(slog.DiscardHandler), meters: map[string]*meter{},
		stop: func() {}, done: make(chan struct{})}
	option.Apply(q, opts)
	if q.ledger == nil {
		close(q.done)
		return q
	}
	ctx, stop := context.WithCancel(context.Background())
	q.stop = stop
	go q.run(ctx)
	return q
}

// Demand is a request for units of a limit.
type Demand struct {
	Rule Rule
	// Need is the estimated number of units. A budget admits a request that needs more than is
	// left.
	Need int64
}

// Permit has the reserved units of a request.
type Permit struct {
	held []held
}

type held struct {
	meter *meter
	// need is reserved, and used replaces it. counted is already counted as used.
	need, counted, used int64
}

// Take reserves what a request needs, or nothing. Its error is a [*LimitError], [ErrUnavailable],
// or the error of the context.
func (q *Quota) Take(ctx context.Context, demands ...Demand) (*Permit, error) {
	p := &Permit{held: make([]held, 0, len(demands))}
	for _, d := range demands {
		m := q.meter(d.Rule.Name)
		if err := m.take(ctx, d.Rule, d.Need); err != nil {
			p.Release()
			return nil, err
		}
		h := held{meter: m, need: d.Need}
		if d.Rule.Period == Minute { // which refills while the request is in flight
			m.settle(d.Need, d.Need)
			h = held{meter: m, counted: d.Need}
		}
		p.held = append(p.held, h)
	}
	return p, nil
}

// Count counts units that were used without a reservation, such as those of a batch that another
// service runs.
func (q *Quota) Count(rule Rule, used int64) { q.meter(rule.Name).count(rule, used) }

// Settle sets what the request has used of the demand with an index. It counts at [Permit.Release].
func (p *Permit) Settle(demand int, used int64) { p.held[demand].used = used }

// Release gives the reserved units back and counts those that were used. It has an effect once, and
// may be called for nil.
func (p *Permit) Release() {
	if p == nil {
		return
	}
	for _, h := range p.held {
		h.meter.settle(h.need, h.used-h.counted)
	}
	p.held = nil
}

// Standing returns the last state of a limit that this process knows.
func (q *Quota) Standing(rule Rule) Standing { return q.meter(rule.Name).standing(rule) }

func (q *Quota) meter(name string) *meter {
	q.mu.Lock()
	defer q.mu.Unlock()
	m := q.meters[name]
	if m == nil {
		m = &meter{quota: q, turn: make(chan struct{}, 1)}
		q.meters[name] = m
	}
	return m
}

// run writes what is due until ctx ends.
func (q *Quota) run(ctx context.Context) {
	defer close(q.done)
	ticker := time.NewTicker(syncPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			q.flush(ctx, false)
		}
	}
}

// flush writes what is due, or everything.
func (q *Quota) flush(ctx context.Context, isLast bool) {
	q.mu.Lock()
	meters := make([]*meter, 0, len(q.meters))
	for _, m := range q.meters {
		meters = append(meters, m)
	}
	q.mu.Unlock()
	for _, m := range meters {
		rule, isDue := m.isDue()
		if !isDue && (!isLast || m.isIdle()) || rule.Name == "" {
			continue
		}
		select {
		case m.turn <- struct{}{}:
		case <-ctx.Done():
			return
		}
		_, err := m.sync(ctx, rule, 0)
		<-m.turn
		if err != nil && ctx.Err() == nil {
			q.report(err)
		}
	}
}

// report logs an error of the ledger, at most once a minute.
func (q *Quota) report(err error) {
	q.mu.Lock()
	isDue := q.now().Sub(q.reported) >= reportPause
	if isDue {
		q.reported = q.now()
	}
	q.mu.Unlock()
	if isDue {
		q.logger.Warn("the store that counts the limits of client keys does not answer",
			"error", err.Error())
	}
}

// Close writes what was used. Permits should be released before.
func (q *Quota) Close() {
	q.stop()
	<-q.done
	if q.ledger == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*syncTime)
	defer cancel()
	q.flush(ctx, true)
}
