package chat

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// scratch is a stream with the memory for its chunks, for callers that do not keep them. Each push
// reuses the memory, and then the next stream does. For most streams, which are short, this is most
// of the memory they use.
type scratch struct {
	stream Stream
	source *normalize.Stream
	chunks []chunk
	pieces []*piece
}

var scratches = sync.Pool{New: func() any { return &scratch{source: answer.NewSource()} }}

// maxScratch is the largest number of chunks per push whose memory is kept.
const maxScratch = 32

// begin returns a new stream.
func (r *scratch) begin(opts []Option) *Stream {
	s := &r.stream
	s.out, s.pieces = r.chunks, r.pieces
	s.begin(opts, r.source)
	s.reusesEvents = true
	return s
}

// end releases the memory for the next stream. The stream of begin must not be used afterwards.
func (r *scratch) end() {
	out := r.stream.out
	if cap(out) > maxScratch {
		return
	}
	clear(out[:cap(out)]) // the chunks may hold large texts
	pieces := r.stream.pieces
	for _, p := range pieces {
		*p = piece{}
	}
	r.source.Reset()
	*r = scratch{source: r.source, chunks: out[:0], pieces: pieces}
	scratches.Put(r)
}
