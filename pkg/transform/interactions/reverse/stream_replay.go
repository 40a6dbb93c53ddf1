package reverse

import "github.com/gemwire/gemwire/pkg/report"

// replay is the state while a server sends a stream again from the beginning. Steps that are
// finished are skipped. A step that was passed on in part continues where it was.
type replay struct {
	skipped  map[int]bool // indexes of the open steps that are skipped
	left     int          // finished steps that are still to come
	resuming *openStep    // the step that was passed on in part, or nil
}

// beginReplay prepares a stream for its events from the beginning.
func (s *Stream) beginReplay() {
	s.replay = replay{left: s.finished}
	if len(s.queue) == 0 {
		return
	}
	first := s.queue[0]
	s.queue = s.queue[:0]
	if !first.begun {
		return
	}
	again := &openStep{begun: true, places: first.texts, skipText: first.sentText,
		skipMedia: first.sentMedia, sentText: first.sentText, sentMedia: first.sentMedia}
	s.replay.resuming = again
	s.queue = append(s.queue, again)
	again.index = -1
}

// skips reports whether a step that starts is finished already.
func (r *replay) skips(s *Stream, index int) bool {
	if r.left == 0 {
		return false
	}
	if r.skipped == nil {
		r.skipped = map[int]bool{}
	}
	r.skipped[index] = true
	r.left--
	return true
}

// resume returns the step that continues, once.
func (r *replay) resume(*Stream) *openStep {
	out := r.resuming
	r.resuming = nil
	return out
}

// isSkipped reports whether a step is one of those that are finished already.
func (r *replay) isSkipped(index int) bool { return r.skipped[index] }

// stops ends a step that is skipped. It reports whether the step is one.
func (r *replay) stops(index int) bool {
	if !r.skipped[index] {
		return false
	}
	delete(r.skipped, index)
	return true
}

// repeated reports an event that the server sent before.
func (s *Stream) repeated(at int) {
	s.entries.Add(report.Approximated, eventPointer(at), detailReplayed)
}
