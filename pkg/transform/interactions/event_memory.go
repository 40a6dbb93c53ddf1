package interactions

import (
	"sync"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// eventMemory is the memory for events that callers do not keep. Each push reuses it, and then the
// next stream does.
type eventMemory struct {
	events []interactionsapi.StreamEvent
	pieces []*piece
	steps  []*interactionsapi.Step
	// used and begun count the pieces and steps that this push has taken.
	used, begun int
}

// piece is a delta with its text, in one allocation.
type piece struct {
	delta   interactionsapi.StepDelta
	content interactionsapi.Content
	text    string
}

// maxKept is the largest number of events, pieces or steps whose memory is kept.
const maxKept = 32

// clear releases the contents of the events, which may be large. It returns false if the memory is
// too large to keep.
func (r *eventMemory) clear() bool {
	if max(cap(r.events), len(r.pieces), len(r.steps)) > maxKept {
		return false
	}
	clear(r.events[:cap(r.events)])
	r.events = r.events[:0]
	for _, p := range r.pieces {
		*p = piece{}
	}
	for _, s := range r.steps {
		*s = interactionsapi.Step{}
	}
	r.used, r.begun = 0, 0
	return true
}

// beginPush resets the events for a push.
func (l *eventList) beginPush() {
	l.out = l.out[:0]
	if l.memory == nil {
		l.out = nil
		return
	}
	l.memory.used, l.memory.begun = 0, 0
}

// newPiece returns a piece of a text. It reuses one if the caller does not keep the events.
func (l *eventList) newPiece(text string) *piece {
	r := l.memory
	if r == nil {
		return &piece{text: text}
	}
	if r.used == len(r.pieces) {
		r.pieces = append(r.pieces, &piece{})
	}
	p := r.pieces[r.used]
	*p = piece{text: text}
	r.used++
	return p
}

// newStep returns memory for a step.
func (l *eventList) newStep() *interactionsapi.Step {
	r := l.memory
	if r == nil {
		return &interactionsapi.Step{}
	}
	if r.begun == len(r.steps) {
		r.steps = append(r.steps, &interactionsapi.Step{})
	}
	r.begun++
	return r.steps[r.begun-1]
}

// scratch is a stream with the memory for its events, for callers that do not keep them. For most
// streams, which are short, this is most of the memory they use.
type scratch struct {
	stream Stream
	source *normalize.Stream
	memory eventMemory
}

var scratches = sync.Pool{New: func() any { return &scratch{source: answer.NewSource()} }}

// begin returns a new stream.
func (r *scratch) begin(opts []Option) *Stream {
	s := &r.stream
	s.begin(opts, r.source)
	s.events.memory, s.events.out = &r.memory, r.memory.events
	return s
}

// end releases the memory for the next stream. The stream of begin must not be used afterwards.
func (r *scratch) end() {
	r.memory.events = r.stream.events.out
	if !r.memory.clear() {
		return
	}
	r.source.Reset()
	*r = scratch{source: r.source, memory: r.memory}
	scratches.Put(r)
}
