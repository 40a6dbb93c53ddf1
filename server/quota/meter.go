package quota

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/internal/clock"
)

// Lease is how long a replica holds its part without a renewal.
const Lease = 9 * time.Second

const (
	// renewal is how often a replica renews a part that it holds.
	renewal = Lease / 3
	// syncTime is the time limit of a change of the ledger.
	syncTime = 2 * time.Second
	// downTime is how long a ledger is left alone after an error.
	downTime = time.Second
	// aheadShare is the largest share of the rest that a replica holds for future requests.
	aheadShare = 8
	// aheadRequests is the number of requests that a replica holds units for.
	aheadRequests = 16
	// aheadTime is the time for which a busy replica holds units.
	aheadTime = time.Second / 2
	// maxTries is how often a change is repeated because of other replicas.
	maxTries = 50
)

// meter is this replica's view of a limit.
type meter struct {
	quota *Quota
	turn  chan struct{} // held while the ledger changes

	mu        sync.Mutex
	rule      Rule // the last one
	known     state
	others    int64 // what other replicas hold
	granted   int64 // what this replica holds
	reserved  int64 // what requests in flight may use
	unsaid    int64 // what was used and is not in the ledger yet
	syncedAt  time.Time
	downUntil time.Time
}

// take reserves units, or returns a [*LimitError] or an error of the ledger.
func (m *meter) take(ctx context.Context, rule Rule, need int64) error {
	if m.quota.ledger == nil {
		return m.takeHere(rule, need)
	}
	if m.takeGranted(rule, need) {
		return nil
	}
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.turn }()
	if m.takeGranted(rule, need) { // another request has got some
		return nil
	}
	if m.isDown() {
		return m.takeWithoutLedger(rule, need)
	}
	refused, err := m.sync(ctx, rule, need)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.quota.report(err)
		return m.takeWithoutLedger(rule, need)
	}
	if refused != nil {
		return refused
	}
	return nil
}

// takeGranted takes units of the part that this replica holds.
func (m *meter) takeGranted(rule Rule, need int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	isValid := m.rule == rule && now.Sub(m.syncedAt) < Lease-renewal
	if start, _ := rule.Period.begin(now); !start.IsZero() &&
		clock.DayOf(start) != m.known.Start {
		isValid = false
	}
	unsaid := max(m.unsaid, 0)
	if !isValid || m.granted-m.reserved-unsaid < need ||
		refuse(rule, need, m.known.Spent+unsaid, m.others+m.reserved, now) != nil {
		return false
	}
	m.reserved += need
	return true
}

// takeHere takes units of a limit of this process.
func (m *meter) takeHere(rule Rule, need int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	m.rule = rule
	m.known.advance(rule, now)
	m.known.Spent = max(m.known.Spent+m.unsaid, 0)
	m.unsaid = 0
	if refused := refuse(rule, need, m.known.Spent, m.others+m.reserved, now); refused != nil {
		return refused
	}
	m.reserved += need
	return nil
}

// takeWithoutLedger applies the policy for a ledger that does not answer.
func (m *meter) takeWithoutLedger(rule Rule, need int64) error {
	if m.quota.refuses {
		return ErrUnavailable
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	m.rule = rule
	m.known.advance(rule, now)
	if refused := refuse(rule, need, m.known.Spent+m.unsaid, m.others+m.reserved,
		now); refused != nil {
		return refused
	}
	m.reserved += need
	return nil
}

// refuse returns the error if units do not fit, or nil.
func refuse(rule Rule, need, spent, held int64, now time.Time) error {
	total := spent + held
	if rule.Period.isBudget() && total < rule.Limit ||
		!rule.Period.isBudget() && total+need <= rule.Limit {
		return nil
	}
	refused := &LimitError{Rule: rule, Spent: spent}
	_, refused.Resets = rule.Period.begin(now)
	switch {
	case rule.Period == Minute:
		missing := min(total+need-rule.Limit, spent)
		refused.Wait = max(time.Duration((&state{}).timeFor(rule.Limit, max(missing, 0))),
			time.Millisecond)
	case !rule.Period.isBudget() || refused.IsInFlight():
		refused.Wait = time.Second
	}
	return refused
}

func (m *meter) isDown() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.quota.now().Before(m.downUntil)
}

// sync writes to the ledger what was used, and takes units. It returns a *LimitError if there are
// not enough. The caller must hold the turn.
func (m *meter) sync(ctx context.Context, rule Rule, need int64) (refused, err error) {
	ctx, cancel := context.WithTimeout(ctx, syncTime)
	defer cancel()
	for tries := 0; ; tries++ {
		refused, err = m.change(ctx, rule, need)
		if !errors.Is(err, ErrChanged) || tries == maxTries {
			break
		}
		pause := time.NewTimer(rand.N(time.Millisecond << min(tries, 5)))
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
	if err != nil {
		m.mu.Lock()
		m.downUntil = m.quota.now().Add(downTime)
		m.mu.Unlock()
	}
	return refused, err
}

// change makes one attempt of a sync.
func (m *meter) change(ctx context.Context, rule Rule, need int64) (refused, err error) {
	record, revision, err := m.quota.ledger.Load(ctx, rule.Name)
	if err != nil {
		return nil, err
	}
	next, err := readState(record)
	if err != nil {
		return nil, err
	}
	now := m.quota.now()
	next.advance(rule, now)

	m.mu.Lock()
	said, reserved := m.unsaid, m.reserved
	free := max(m.granted-reserved-max(said, 0), 0)
	next.Spent = max(next.Spent+said, 0)
	others := next.others(m.quota.replica)
	if need > 0 {
		refused = refuse(rule, need, next.Spent, others+reserved, now)
	}
	units, ahead := reserved, int64(0)
	switch {
	case need > 0 && refused == nil:
		units += need
		ahead = max(free, need*aheadRequests, m.usedIn(aheadTime, said, now))
	case said != 0: // or no request needs it
		ahead = max(free/2, m.usedIn(aheadTime, said, now))
	}
	ahead = min(ahead, max(rule.Limit-next.Spent-others-units, 0)/aheadShare)
	units += ahead
	// until the ledger has changed, requests take only what they may take before and after that
	m.granted = min(m.granted, reserved+max(said, 0)+ahead)
	m.mu.Unlock()

	delete(next.Held, m.quota.replica)
	if units > 0 {
		next.Held[m.quota.replica] = hold{Units: units, Until: now.Add(Lease).UnixNano()}
	}
	record, err = json.Marshal(next, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if _, err = m.quota.ledger.Store(ctx, rule.Name, record, revision); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rule, m.known, m.others, m.syncedAt = rule, *next, others, now
	m.unsaid -= said
	m.granted = units
	m.downUntil = time.Time{}
	if need > 0 && refused == nil {
		m.reserved += need
	}
	return refused, nil
}

// usedIn returns how many units are used in a time at the rate since the last change of the ledger.
func (m *meter) usedIn(d time.Duration, used int64, now time.Time) int64 {
	since := max(now.Sub(m.syncedAt), time.Millisecond)
	if used <= 0 || since > time.Minute {
		return 0
	}
	return scaled(used, int64(d), int64(since))
}

// settle replaces reserved units by what was used. used is negative for units that were counted
// before, and not used.
func (m *meter) settle(need, used int64) {
	m.mu.Lock()
	m.reserved -= need
	m.unsaid += used
	m.mu.Unlock()
}

// count counts units that were not reserved.
func (m *meter) count(rule Rule, used int64) {
	m.mu.Lock()
	if m.rule.Name == "" {
		m.rule = rule
	}
	m.unsaid += used
	m.mu.Unlock()
}

// isDue reports whether the ledger should be changed although no request needs it.
func (m *meter) isDue() (Rule, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	since := now.Sub(m.syncedAt)
	switch {
	case m.rule.Name == "" || now.Before(m.downUntil):
		return m.rule, false
	case m.unsaid != 0:
		return m.rule, true
	case m.granted > m.reserved:
		return m.rule, since >= idleTime
	default:
		return m.rule, m.granted > 0 && since >= renewal
	}
}

// isIdle reports whether the meter has nothing to write.
func (m *meter) isIdle() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unsaid == 0 && m.granted == 0 && m.reserved == 0
}

// standing returns the last state of a limit that this replica knows.
func (m *meter) standing(rule Rule) Standing {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	known := m.known
	known.Held = nil
	known.advance(rule, now)
	out := Standing{Spent: max(known.Spent+m.unsaid, 0)}
	out.Remaining = max(rule.Limit-out.Spent-m.others-m.reserved, 0)
	_, out.Resets = rule.Period.begin(now)
	if rule.Period == Minute && out.Remaining < rule.Limit {
		out.Reset = time.Duration(known.timeFor(rule.Limit, rule.Limit-out.Remaining))
	}
	return out
}
