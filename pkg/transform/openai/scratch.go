package openai

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// scratch is a stream whose chunks nobody keeps, with the memory for them, which each push uses again, and
// then the next stream. Most streams are short, and this is most of the memory that one takes.
type scratch struct {
	stream Stream
	source *normalize.Stream
	chunks []chunk
	pieces []*piece
}

var scratches = sync.Pool{New: func() any { return &scratch{source: newSource()} }}

// maxScratch is how many chunks at once are worth keeping room for.
const maxScratch = 32

// begin returns a stream that nothing was pushed into yet.
func (r *scratch) begin(opts []Option) *Stream {
	s := &r.stream
	s.scratch, s.out = r, r.chunks
	s.begin(opts, r.source)
	return s
}

// end gives the room to the next stream. The one that begin returned must not be used any more.
func (r *scratch) end() {
	out := r.stream.out
	if cap(out) > maxScratch {
		return
	}
	clear(out[:cap(out)]) // which may hold large texts
	for _, p := range r.pieces {
		*p = piece{}
	}
	r.source.Reset()
	*r = scratch{source: r.source, chunks: out[:0], pieces: r.pieces}
	scratches.Put(r)
}

// piece returns an empty piece for the chunk at a position of the push's result.
func (r *scratch) piece(at int) *piece {
	for at >= len(r.pieces) {
		r.pieces = append(r.pieces, &piece{})
	}
	*r.pieces[at] = piece{}
	return r.pieces[at]
}
