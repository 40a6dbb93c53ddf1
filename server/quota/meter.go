package quota

import (
	"context"
	"sync"
	"time"

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
	others    int64   // what other replicas hold
	granted   int64   // what this replica holds
	reserved  int64   // what requests in flight may use
	unsaid    int64   // what was used and is not in the ledger yet
	saidIn    string  // the start of the period that unsaid belongs to
	unsure    []write // that may be in the ledger
	writes    uint64
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
	m.forgetPast(rule, now)
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
	m.forgetPast(rule, now)
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
	m.forgetPast(rule, now)
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

// settle replaces reserved units by what was used. used is negative for units that were counted
// before, and not used.
func (m *meter) settle(need, used int64) {
	m.mu.Lock()
	m.forgetPast(m.rule, m.quota.now())
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
	m.forgetPast(m.rule, m.quota.now())
	m.unsaid += used
	m.mu.Unlock()
}

// forgetPast drops what was used in a period that has ended, or it would count in the next one.
func (m *meter) forgetPast(rule Rule, now time.Time) {
	start, _ := rule.Period.begin(now)
	if start.IsZero() {
		return
	}
	if text := clock.DayOf(start); text > m.saidIn {
		m.saidIn, m.unsaid = text, 0
	}
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
	m.forgetPast(rule, now)
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
