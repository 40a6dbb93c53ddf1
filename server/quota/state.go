package quota

import (
	"math/bits"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/gemwire/gemwire/internal/clock"
)

// state is the record of a limit.
type state struct {
	// Start is the start of the period that Spent belongs to, or "".
	Start string `json:"start,omitzero"`
	// Spent is what was used. For [Minute] it is what has not refilled at the time At.
	Spent int64 `json:"spent"`
	At    int64 `json:"at,omitzero"`
	// Held are the parts of replicas.
	Held map[string]hold `json:"held,omitempty"`
}

// hold is the part of a replica until a time.
type hold struct {
	Units int64 `json:"units"`
	Until int64 `json:"until"`
	// Write is the number of the replica's last write.
	Write uint64 `json:"write,omitzero"`
}

// readState reads a record. An empty record is an empty state.
func readState(record []byte) (*state, error) {
	s := &state{}
	if len(record) > 0 {
		if err := json.Unmarshal(record, s); err != nil {
			return nil, err
		}
	}
	if s.Held == nil {
		s.Held = map[string]hold{}
	}
	return s, nil
}

// advance brings the state up to a time: it begins a new period, refills a minute, and drops the
// parts of replicas that no longer renew them.
func (s *state) advance(rule Rule, now time.Time) {
	if start, _ := rule.Period.begin(now); !start.IsZero() {
		// A replica with a slow clock does not return to the previous period.
		if text := clock.DayOf(start); text > s.Start {
			s.Start, s.Spent = text, 0
		}
	}
	if rule.Period == Minute {
		s.refill(rule.Limit, now.UnixNano())
	}
	for replica, held := range s.Held {
		if held.Until <= now.UnixNano() {
			delete(s.Held, replica)
		}
	}
}

// refill removes what has refilled since the last time, in whole units.
func (s *state) refill(limit, now int64) {
	if s.Spent <= 0 || s.At == 0 || now-s.At >= s.timeFor(limit, s.Spent) {
		s.Spent, s.At = max(min(s.Spent, 0), 0), now
		return
	}
	if now <= s.At {
		return
	}
	units := scaled(now-s.At, limit, int64(time.Minute))
	s.Spent -= units
	s.At += s.timeFor(limit, units)
}

// timeFor returns how long units take to refill, in nanoseconds.
func (s *state) timeFor(limit, units int64) int64 {
	return scaled(units, int64(time.Minute), max(limit, 1))
}

// scaled returns a * b / c for numbers that are not negative. It does not overflow before the
// division.
func scaled(a, b, c int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high >= uint64(c) {
		return int64(^uint64(0) >> 1)
	}
	quotient, _ := bits.Div64(high, low, uint64(c))
	return int64(min(quotient, ^uint64(0)>>1))
}

// others returns what other replicas hold.
func (s *state) others(replica string) (units int64) {
	for name, held := range s.Held {
		if name != replica {
			units += held.Units
		}
	}
	return units
}
