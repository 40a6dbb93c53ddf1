package openai

import "sync"

// scratch is room for what a stream tells, used again by push after push and by stream after stream.
type scratch struct {
	chunks []chunk
	pieces []*piece
}

var scratches = sync.Pool{New: func() any { return &scratch{} }}

// maxScratch is how many chunks at once are worth keeping room for.
const maxScratch = 32

// useScratch makes s write what it tells where earlier streams did. Nobody must keep its chunks.
func (s *Stream) useScratch() {
	s.scratch = scratches.Get().(*scratch)
	s.out = s.scratch.chunks
}

// releaseScratch gives the room to the next stream; s must not be used any more.
func (s *Stream) releaseScratch() {
	room := s.scratch
	s.scratch = nil
	if cap(s.out) > maxScratch {
		return
	}
	clear(s.out[:cap(s.out)]) // which may hold large texts
	room.chunks = s.out[:0]
	for _, p := range room.pieces {
		*p = piece{}
	}
	scratches.Put(room)
}

// piece returns a piece that tells nothing yet, for the chunk at a position of what is told at once.
func (r *scratch) piece(at int) *piece {
	for at >= len(r.pieces) {
		r.pieces = append(r.pieces, &piece{})
	}
	*r.pieces[at] = piece{}
	return r.pieces[at]
}
