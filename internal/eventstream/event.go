package eventstream

import (
	"bytes"
	"hash/maphash"

	"github.com/gemwire/gemwire/internal/codec"
)

const (
	// keptSize is the maximum size of the buffer that is kept for the next event.
	keptSize = 16 << 10
	// maxBlockSize is the size of a large event's blocks.
	maxBlockSize = 1 << 20
)

// Event collects the bytes of one event. Most events are one piece of the input and are not copied.
// A larger event is collected in blocks. They are joined only if the caller asks for it, so a
// growing event is never copied again.
type Event struct {
	whole  []byte // the event, while it is one piece of the input, and once it was put together
	kept   []byte // else its beginning; reused from event to event
	blocks [][]byte
	tail   byte // the last byte that is not white space, or 0

	// Size counts the bytes.
	Size int
	// Offset counts the bytes of the body before the event.
	Offset int64
	// IsError reports that the event has the type "error".
	IsError bool
	// Joined reports that the event has several data lines. Offsets in the event are then not
	// offsets in the body.
	Joined bool
}

// add appends a piece of the input. The piece begins at offset in the body.
func (e *Event) add(piece []byte, offset int64) {
	if len(piece) == 0 {
		return
	}
	e.keepTail(piece)
	e.Size += len(piece)
	if e.Size == len(piece) {
		e.whole, e.Offset = piece, offset
		return
	}
	e.save()
	e.write(piece)
}

func (e *Event) keepTail(piece []byte) {
	for i := len(piece) - 1; i >= 0; i-- {
		if !isSpace(piece[i]) {
			e.tail = piece[i]
			return
		}
	}
}

// save copies the piece of the input that the event uses, because the input is about to change.
func (e *Event) save() {
	piece := e.whole
	e.whole = nil
	e.write(piece)
}

func (e *Event) write(p []byte) {
	if len(e.blocks) == 0 && len(e.kept)+len(p) <= keptSize {
		e.kept = append(e.kept, p...)
		return
	}
	for len(p) > 0 {
		last := len(e.blocks) - 1
		if last < 0 || len(e.blocks[last]) == cap(e.blocks[last]) {
			e.blocks = append(e.blocks, make([]byte, 0, min(max(e.Size, keptSize), maxBlockSize)))
			last++
		}
		block := e.blocks[last]
		n := min(len(p), cap(block)-len(block))
		e.blocks[last] = append(block, p[:n]...)
		p = p[n:]
	}
}

// DoneMark is the data of the event that some servers put at the end of a stream.
const DoneMark = "[DONE]"

// isDone reports whether the event is the end mark.
func (e *Event) isDone() bool {
	return e.tail == ']' && string(bytes.Trim(e.Bytes(), codec.Space)) == DoneMark
}

// Pieces returns the event in the pieces in which it is stored. They are valid as long as the
// result of Bytes.
func (e *Event) Pieces() [][]byte {
	if e.whole != nil {
		return [][]byte{e.whole}
	}
	return append([][]byte{e.kept}, e.blocks...)
}

// hash returns a hash of the event's bytes.
func (e *Event) hash(seed maphash.Seed) uint64 {
	if e.whole != nil {
		return maphash.Bytes(seed, e.whole)
	}
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.Write(e.kept) // it never fails
	for _, block := range e.blocks {
		_, _ = h.Write(block)
	}
	return h.Sum64()
}

// Bytes returns the event in one piece, valid until the next call of add or reset and until the
// input changes.
func (e *Event) Bytes() []byte {
	switch {
	case e.whole != nil:
		return e.whole
	case len(e.blocks) == 0:
		return e.kept
	default:
		e.whole = bytes.Join(e.Pieces(), nil)
		e.blocks = nil
		return e.whole
	}
}
