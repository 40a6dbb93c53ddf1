package quota

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/go-json-experiment/json"
)

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
	w := m.prepare(next, rule, need)
	record, err = json.Marshal(next, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if _, err = m.quota.ledger.Store(ctx, rule.Name, record, revision); err != nil {
		if !errors.Is(err, ErrChanged) {
			m.mu.Lock()
			m.unsure = append(m.unsure, w)
			m.mu.Unlock()
		}
		return nil, err
	}
	m.written(w, next)
	return w.refused, nil
}

// write is a change of the ledger.
type write struct {
	rule    Rule
	at      time.Time
	number  uint64
	need    int64
	refused error
	said    int64  // that it adds to what was used
	saidIn  string // the start of the period that said belongs to
	units   int64  // that this replica holds after it
	others  int64
}

// prepare changes the state of the ledger as a write with a need for units does.
func (m *meter) prepare(next *state, rule Rule, need int64) write {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.quota.now()
	m.forgetWritten(next)
	m.forgetPast(rule, now)
	next.advance(rule, now)
	next.Spent = max(next.Spent+m.unsaid, 0)
	m.writes++
	w := write{rule: rule, at: now, number: m.writes, need: need, said: m.unsaid, saidIn: m.saidIn,
		others: next.others(m.quota.replica)}
	if need > 0 {
		w.refused = refuse(rule, need, next.Spent, w.others+m.reserved, now)
	}
	w.units = m.reserved
	if need > 0 && w.refused == nil {
		w.units += need
	}
	ahead := min(m.ahead(&w), max(rule.Limit-next.Spent-w.others-w.units, 0)/aheadShare)
	w.units += ahead
	// until the ledger has changed, requests take only what they may take before and after that
	m.granted = min(m.granted, m.reserved+max(w.said, 0)+ahead)
	delete(next.Held, m.quota.replica)
	if w.units > 0 || w.said != 0 {
		next.Held[m.quota.replica] = hold{Units: w.units, Until: now.Add(Lease).UnixNano(),
			Write: w.number}
	}
	return w
}

// ahead returns how many units this replica wants for future requests.
func (m *meter) ahead(w *write) int64 {
	free := max(m.granted-m.reserved-max(w.said, 0), 0)
	switch {
	case w.need > 0 && w.refused == nil:
		return max(free, w.need*aheadRequests, m.usedIn(aheadTime, w.said, w.at))
	case w.said != 0: // or no request needs it
		return max(free/2, m.usedIn(aheadTime, w.said, w.at))
	default:
		return 0
	}
}

// usedIn returns how many units are used in a time at the rate since the last change of the ledger.
func (m *meter) usedIn(d time.Duration, used int64, now time.Time) int64 {
	since := max(now.Sub(m.syncedAt), time.Millisecond)
	if used <= 0 || since > time.Minute {
		return 0
	}
	return scaled(used, int64(d), int64(since))
}

// written notes that the ledger has changed.
func (m *meter) written(w write, next *state) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rule, m.known, m.others, m.syncedAt = w.rule, *next, w.others, w.at
	m.noteSaid(w)
	m.granted = w.units
	m.downUntil, m.unsure = time.Time{}, nil
	if w.need > 0 && w.refused == nil {
		m.reserved += w.need
	}
}

// noteSaid notes that the ledger has what a write adds.
func (m *meter) noteSaid(w write) {
	if m.saidIn == w.saidIn { // or its period has ended, and unsaid is of the next one
		m.unsaid -= w.said
	}
}

// forgetWritten notes a write that the ledger has, although its answer was lost.
func (m *meter) forgetWritten(found *state) {
	number := found.Held[m.quota.replica].Write
	at := slices.IndexFunc(m.unsure, func(w write) bool { return w.number == number })
	if at >= 0 {
		m.noteSaid(m.unsure[at])
		m.unsure = nil
	}
}
