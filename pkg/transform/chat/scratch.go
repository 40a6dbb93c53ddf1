package chat

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// scratch is a stream whose chunks nobody keeps, with the memory for them, which each push uses
// again, and then the next stream. Most streams are short, and this is most of the memory that one
// takes.
type scratch struct {
	stream Stream
	source *normalize.Stream
	chunks []chunk
	pieces []*piece
}

var scratches = sync.Pool{New: func() any { return &scratch{source: answer.NewSource()} }}

// maxScratch is how many chunks at once are worth keeping.
const maxScratch = 32

// begin returns a stream that nothing was pushed into yet.
func (r *scratch) begin(opts []Option) *Stream {
	s := &r.stream
	s.out, s.pieces = r.chunks, r.pieces
	s.begin(opts, r.source)
	s.reusesEvents = true
	return s
}

// end gives the memory to the next stream. The one that begin returned must not be used any more.
func (r *scratch) end() {
	out := r.stream.out
	if cap(out) > maxScratch {
		return
	}
	clear(out[:cap(out)]) // which may hold large texts
	pieces := r.stream.pieces
	for _, p := range pieces {
		*p = piece{}
	}
	r.source.Reset()
	*r = scratch{source: r.source, chunks: out[:0], pieces: pieces}
	scratches.Put(r)
}
