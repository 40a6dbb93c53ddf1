package inspector

import (
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// phases is how the time of an exchange was spent, in milliseconds. Its sum is the duration.
type phases struct {
	// Gateway is the time in the gateway itself: reading, converting, writing.
	Gateway float64 `json:"gateway"`
	// LookUp is the time of the look-ups of models before the first call and after the last one.
	LookUp float64 `json:"lookUp"`
	// Room is the time for which the request waited for a free slot or for memory.
	Room float64 `json:"room"`
	// Backoff is the time of attempts that failed, and of the waits after them.
	Backoff float64 `json:"backoff"`
	// FirstToken is the time from the last call until its first content, and Generation the time
	// after that. An answer that is not a stream has only FirstToken.
	FirstToken float64 `json:"firstToken"`
	Generation float64 `json:"generation"`
}

// phases returns how the time was spent. A running exchange has zero phases. All times are whole
// microseconds, as in a folder, so that the phases are the same after a restart.
func (r *record) phases() phases {
	if r.end == nil {
		return phases{}
	}
	total, waited := whole(r.end.Duration), whole(r.end.Waited)
	calls := modelCalls(r.attempts)
	if len(calls) == 0 {
		room := min(waited, total)
		lookUp := r.lookUps(total - room)
		return phases{Gateway: milliseconds(total - room - lookUp), LookUp: milliseconds(lookUp),
			Room: milliseconds(room)}
	}
	since := func(at time.Time) time.Duration {
		return min(max(0, whole(at.Sub(r.start.At))), total)
	}
	first, last := &calls[0], &calls[len(calls)-1]
	begun := since(first.Started)
	room := min(waited, begun)
	called := max(begun, since(last.Started))
	answered := max(called, min(since(last.Started)+whole(last.Duration), total))
	content := answered
	if r.end.FirstToken > 0 {
		content = min(max(called, whole(r.end.FirstToken)), total)
	}
	p := phases{Room: milliseconds(room), Backoff: milliseconds(called - begun),
		FirstToken: milliseconds(content - called)}
	own := begun - room
	if r.end.FirstToken > 0 {
		p.Generation = milliseconds(total - content)
	} else {
		own += total - content
	}
	lookUp := r.lookUps(own)
	p.LookUp, p.Gateway = milliseconds(lookUp), milliseconds(own-lookUp)
	return p
}

// lookUps returns the time of the look-ups of models, at most a limit. Look-ups between two calls
// are part of the time before a retry.
func (r *record) lookUps(limit time.Duration) (sum time.Duration) {
	first := slices.IndexFunc(r.attempts, isModelCall)
	last := len(r.attempts)
	for last > 0 && !isModelCall(r.attempts[last-1]) {
		last--
	}
	for i, a := range r.attempts {
		if !isModelCall(a) && (i < first || i >= last) {
			sum += whole(a.Duration)
		}
	}
	return min(sum, limit)
}

// isModelCall reports whether a call asked a model. A look-up of models is a call without a model.
func isModelCall(a exchange.Attempt) bool { return a.Model != "" }

// modelCalls returns the calls that asked a model.
func modelCalls(attempts []exchange.Attempt) []exchange.Attempt {
	var calls []exchange.Attempt
	for _, a := range attempts {
		if isModelCall(a) {
			calls = append(calls, a)
		}
	}
	return calls
}

// whole returns a duration without the part of a microsecond.
func whole(d time.Duration) time.Duration { return d.Truncate(time.Microsecond) }

// duration returns how long the exchange took, or 0 while it runs.
func (r *record) duration() time.Duration {
	if r.end == nil {
		return 0
	}
	return r.end.Duration
}

// firstToken returns the time to the first token of a stream, or 0.
func (r *record) firstToken() time.Duration {
	if r.end == nil {
		return 0
	}
	return r.end.FirstToken
}
