package transport

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// ErrBodyTooLarge reports a body above its limit.
var ErrBodyTooLarge = errors.New("the body is larger than its limit")

// The sizes of the pieces of a body: that of a header that announces no more than the last, else
// from the first, they double up to the largest that is not kept for other bodies, and all behind
// it are of the last size.
const (
	firstPiece   = 1 << 10
	largestFresh = 128 << 10
	lastPiece    = 1 << 20
)

// nextPiece returns the size of the piece behind one of a size.
func nextPiece(size int) int {
	if size >= largestFresh {
		return lastPiece
	}
	return 2 * size
}

// pieces are those of the last size, which go from body to body: an image of 5 MB takes the 5 MB of
// its string, and not as much again for the bytes that it was read from.
var pieces = sync.Pool{New: func() any { return new([lastPiece]byte) }}

// A Body is what was read of a body, in pieces, so that a large one takes no more memory than it
// has bytes.
type Body [][]byte

// Bytes returns the body in one piece.
func (b Body) Bytes() []byte {
	if len(b) == 1 {
		return b[0]
	}
	return bytes.Join(b, nil)
}

// byteOrderMark is what some proxies put in front of JSON, which must not begin with it; readers
// may pass over it (RFC 8259, 8.1).
var byteOrderMark = []byte("\ufeff")

// WithoutMark returns the body behind a byte order mark, if it begins with one.
func (b Body) WithoutMark() Body {
	if len(b) == 0 || !bytes.HasPrefix(b[0], byteOrderMark) {
		return b
	}
	return append(Body{b[0][len(byteOrderMark):]}, b[1:]...)
}

// Size returns the number of bytes.
func (b Body) Size() int {
	size := 0
	for _, piece := range b {
		size += len(piece)
	}
	return size
}

// ReadBody reads a body of up to limit bytes; there is no limit below 1. For a larger one it
// returns [ErrBodyTooLarge].
func (r *Reply) ReadBody(limit int64) (Body, error) {
	if limit > 0 && r.Size > limit {
		return nil, ErrBodyTooLarge
	}
	next := firstPiece
	if r.Size > 0 {
		next = int(min(r.Size+1, lastPiece)) // one more, to find the end
	}
	var body Body
	for left := limit; ; next = nextPiece(next) {
		piece, err := r.readPiece(next)
		left -= int64(len(piece))
		if len(piece) > 0 {
			body = append(body, piece)
		}
		switch {
		case limit > 0 && left < 0:
			return nil, ErrBodyTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return body, err
		}
	}
}

// readPiece reads so many bytes, or fewer, and why there are no more.
func (r *Reply) readPiece(size int) ([]byte, error) {
	piece := newPiece(size)
	for n := 0; ; {
		got, err := r.Read(piece[n:])
		n += got
		if err != nil || n == size {
			return piece[:n], err
		}
	}
}

func newPiece(size int) []byte {
	if size == lastPiece {
		return pieces.Get().(*[lastPiece]byte)[:]
	}
	return make([]byte, size)
}

// Release gives the memory of a body that was read to its end to other bodies. Nothing may hold on
// to it.
//
// That of a body that failed is not released: whoever ended the reading may have left a Read behind
// that goes on writing into it.
func (b Body) Release() {
	for _, piece := range b {
		if cap(piece) == lastPiece {
			pieces.Put((*[lastPiece]byte)(piece[:lastPiece]))
		}
	}
}

// ReadAll reads a body like [Reply.ReadBody], and returns it in one piece.
func (r *Reply) ReadAll(limit int64) ([]byte, error) {
	body, err := r.ReadBody(limit)
	return body.Bytes(), err
}

// ReadUpTo reads the first limit bytes of a body at most, or as many as come before reading fails.
func (r *Reply) ReadUpTo(limit int64) []byte {
	body, _ := io.ReadAll(io.LimitReader(r, limit))
	return body
}
