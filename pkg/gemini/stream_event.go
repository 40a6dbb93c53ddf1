package gemini

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/internal/wire"
)

const (
	// keptSize is how much room for events outlasts an event.
	keptSize = 16 << 10
	// maxBlockSize is the size of a large event's blocks.
	maxBlockSize = 1 << 20
)

// eventBuffer assembles the bytes of one event. Most events are one piece of the input and are not
// copied at all. A larger one is gathered in blocks, which are put together only if somebody asks for
// it, so that growing costs nothing.
type eventBuffer struct {
	whole  []byte // the event, while it is one piece of the input, and once it was put together
	kept   []byte // else its beginning; reused from event to event
	blocks [][]byte
	size   int
	tail   byte  // the last byte that is no white space, 0 if there is none
	offset int64 // of the event in the body

	isError bool // it is of the type "error"
	joined  bool // of several data lines
}

// reset begins an event that may start at offset.
func (e *eventBuffer) reset(offset int64) {
	*e = eventBuffer{kept: e.kept[:0], offset: offset}
}

// add appends a piece of the input that begins at offset in the body.
func (e *eventBuffer) add(piece []byte, offset int64) {
	if len(piece) == 0 {
		return
	}
	e.noteTail(piece)
	e.size += len(piece)
	if e.size == len(piece) {
		e.whole, e.offset = piece, offset
		return
	}
	e.save()
	e.write(piece)
}

func (e *eventBuffer) noteTail(piece []byte) {
	for i := len(piece) - 1; i >= 0; i-- {
		if !isSpace(piece[i]) {
			e.tail = piece[i]
			return
		}
	}
}

// save copies what is a piece of the input, which is about to change.
func (e *eventBuffer) save() {
	piece := e.whole
	e.whole = nil
	e.write(piece)
}

func (e *eventBuffer) write(p []byte) {
	if len(e.blocks) == 0 && len(e.kept)+len(p) <= keptSize {
		e.kept = append(e.kept, p...)
		return
	}
	for len(p) > 0 {
		last := len(e.blocks) - 1
		if last < 0 || len(e.blocks[last]) == cap(e.blocks[last]) {
			e.blocks = append(e.blocks, make([]byte, 0, min(max(e.size, keptSize), maxBlockSize)))
			last++
		}
		block := e.blocks[last]
		n := min(len(p), cap(block)-len(block))
		e.blocks[last] = append(block, p[:n]...)
		p = p[n:]
	}
}

const doneMark = "[DONE]"

// isDone reports whether the event is the mark that some servers put at the end of a stream.
func (e *eventBuffer) isDone() bool {
	return e.tail == ']' && string(bytes.Trim(e.bytes(), wire.Space)) == doneMark
}

// decode decodes the event, which must be complete.
func (e *eventBuffer) decode(recent *plainjson.Recent) (*geminiapi.GenerateContentResponse, error) {
	if e.size >= largeSize {
		if chunk := decodeLarge(e.pieces()); chunk != nil {
			return chunk, nil
		}
	}
	data := e.bytes()
	d := plainjson.NewDecoder(data)
	d.Recent = recent
	out := new(geminiapi.GenerateContentResponse)
	if out.DecodePlain(&d); d.Done() {
		return out, nil
	}
	return wire.DecodeAnyForm[geminiapi.GenerateContentResponse](payloadResponse, data)
}

func (e *eventBuffer) pieces() [][]byte {
	if e.whole != nil {
		return [][]byte{e.whole}
	}
	return append([][]byte{e.kept}, e.blocks...)
}

// bytes returns the event in one piece, valid until the next call of add or reset and until the input
// changes.
func (e *eventBuffer) bytes() []byte {
	switch {
	case e.whole != nil:
		return e.whole
	case len(e.blocks) == 0:
		return e.kept
	default:
		e.whole = bytes.Join(e.pieces(), nil)
		e.blocks = nil
		return e.whole
	}
}
