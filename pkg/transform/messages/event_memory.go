package messages

import (
	"sync"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// eventMemory is the memory of events that callers do not keep. Each push reuses it, and then the
// next message.
type eventMemory struct {
	events []anthropicapi.StreamEvent
	pieces []*piece
	blocks []*anthropicapi.ContentBlock
	// used and begun are how many pieces and blocks this push has taken.
	used, begun int
	// whole is what a whole answer is made of besides; nil for a stream.
	whole *messageMemory
}

// messageMemory is the memory of what a message begins and ends with.
type messageMemory struct {
	message anthropicapi.Message
	usage   anthropicapi.Usage
}

// piece is a delta with its text, in one piece of memory.
type piece struct {
	delta anthropicapi.StreamDelta
	text  string
}

// maxKept is how many events, pieces and blocks are worth keeping.
const maxKept = 32

// clear forgets what the events had, which may be large, and is false for a memory that is too
// large to be kept.
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

// messageMemories have the memory of whole answers.
var messageMemories = sync.Pool{New: func() any {
	return &eventMemory{events: make([]anthropicapi.StreamEvent, 0, 8), whole: &messageMemory{}}
}}

// beginPush begins the events of a push.
func (e *encoder) beginPush() {
	e.out = e.out[:0]
	if e.memory != nil {
		e.memory.used, e.memory.begun = 0, 0
	}
}

// newPiece returns a piece of a text. It is a used one where nobody keeps the events.
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

// newBlock returns a block as it begins.
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

// scratch is a stream whose events nobody keeps, with the memory for them. Most streams are short,
// and this is most of the memory that one takes.
type scratch struct {
	stream Stream
	source *normalize.Stream
	memory eventMemory
}

var scratches = sync.Pool{New: func() any { return &scratch{source: answer.NewSource()} }}

// begin returns a stream that nothing was pushed into yet.
func (r *scratch) begin(opts []Option) *Stream {
	s := &r.stream
	s.begin(opts, r.source)
	s.encoder.memory, s.encoder.out = &r.memory, r.memory.events
	return s
}

// end gives the memory to the next stream. The one that begin returned must not be used any more.
func (r *scratch) end() {
	r.memory.events = r.stream.encoder.out
	if !r.memory.clear() {
		return
	}
	r.source.Reset()
	*r = scratch{source: r.source, memory: r.memory}
	scratches.Put(r)
}
