package inspector

import "time"

// phases is how the time of an exchange was spent, in milliseconds. Its sum is the duration.
type phases struct {
	// Gateway is the time in the gateway itself: reading, converting, writing.
	Gateway float64 `json:"gateway"`
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
	if len(r.attempts) == 0 {
		room := min(waited, total)
		return phases{Gateway: milliseconds(total - room), Room: milliseconds(room)}
	}
	since := func(at time.Time) time.Duration {
		return min(max(0, whole(at.Sub(r.start.At))), total)
	}
	first, last := &r.attempts[0], &r.attempts[len(r.attempts)-1]
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
	if r.end.FirstToken > 0 {
		p.Generation = milliseconds(total - content)
		p.Gateway = milliseconds(begun - room)
	} else {
		p.Gateway = milliseconds(begun - room + total - content)
	}
	return p
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
