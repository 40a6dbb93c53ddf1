package messages

import (
	"sync"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// eventMemory is the memory for events that callers do not keep. Each push reuses it, and then the
// next message does.
type eventMemory struct {
	events []anthropicapi.StreamEvent
	pieces []*piece
	blocks []*anthropicapi.ContentBlock
	// used and begun count the pieces and blocks that this push has taken.
	used, begun int
	// whole is additional memory for a whole answer; nil for a stream.
	whole *messageMemory
}

// messageMemory is the memory for the start and the end of a message.
type messageMemory struct {
	message anthropicapi.Message
	usage   anthropicapi.Usage
}

// piece is a delta with its text, in one allocation.
type piece struct {
	delta anthropicapi.StreamDelta
	text  string
}

// maxKept is the largest number of events, pieces or blocks whose memory is kept.
const maxKept = 32

// clear releases the contents of the events, which may be large. It returns false if the memory is
// too large to keep.
func (r *eventMemory) clear() bool {
	if max(cap(r.events), len(r.pieces), len(r.blocks)) > maxKept {
		return false
	}
	clear(r.events[:cap(r.events)])
	r.events = r.events[:0]
	for _, p := range r.pieces {
		*p = piece{}
	}
	for _, b := range r.blocks {
		*b = anthropicapi.ContentBlock{}
	}
	if r.whole != nil {
		*r.whole = messageMemory{}
	}
	r.used, r.begun = 0, 0
	return true
}

// messageMemories holds memory for whole answers.
var messageMemories = sync.Pool{New: func() any {
	return &eventMemory{events: make([]anthropicapi.StreamEvent, 0, 8), whole: &messageMemory{}}
}}

// beginPush resets the events for a push.
func (e *encoder) beginPush() {
	e.out = e.out[:0]
	if e.memory != nil {
		e.memory.used, e.memory.begun = 0, 0
	}
}

// newPiece returns a piece of a text. It reuses one if the caller does not keep the events.
func (e *encoder) newPiece(kind anthropicapi.DeltaType, text string) *piece {
	p := e.emptyPiece()
	p.delta.Type, p.text = kind, text
	return p
}

func (e *encoder) emptyPiece() *piece {
	r := e.memory
	if r == nil {
		return &piece{}
	}
	if r.used == len(r.pieces) {
		r.pieces = append(r.pieces, &piece{})
	}
	p := r.pieces[r.used]
	*p = piece{}
	r.used++
	return p
}

// newBlock returns a new block.
func (e *encoder) newBlock(kind anthropicapi.BlockType) *anthropicapi.ContentBlock {
	r := e.memory
	if r == nil {
		return &anthropicapi.ContentBlock{Type: kind}
	}
	if r.begun == len(r.blocks) {
		r.blocks = append(r.blocks, &anthropicapi.ContentBlock{})
	}
	b := r.blocks[r.begun]
	*b = anthropicapi.ContentBlock{Type: kind}
	r.begun++
	return b
}

func (e *encoder) newMessage() *anthropicapi.Message {
	if e.memory == nil || e.memory.whole == nil {
		return &anthropicapi.Message{}
	}
	return &e.memory.whole.message
}

func (e *encoder) newUsage() *anthropicapi.Usage {
	if e.memory == nil || e.memory.whole == nil {
		return &anthropicapi.Usage{}
	}
	return &e.memory.whole.usage
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
	s.encoder.memory, s.encoder.out = &r.memory, r.memory.events
	return s
}

// end releases the memory for the next stream. The stream of begin must not be used afterwards.
func (r *scratch) end() {
	r.memory.events = r.stream.encoder.out
	if !r.memory.clear() {
		return
	}
	r.source.Reset()
	*r = scratch{source: r.source, memory: r.memory}
	scratches.Put(r)
}
