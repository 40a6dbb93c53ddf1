package transport

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// ErrBodyTooLarge reports a body that exceeds its limit.
var ErrBodyTooLarge = errors.New("the body is larger than its limit")

// The sizes of the pieces of a body. If the header announces no more than the last size, there is
// one piece of the announced size. Otherwise sizes double from the first up to the largest that is
// not reused for other bodies. All later pieces have the last size.
const (
	firstPiece   = 1 << 10
	largestFresh = 128 << 10
	lastPiece    = 1 << 20
)

// nextPiece returns the size of the piece after one with the given size.
func nextPiece(size int) int {
	if size >= largestFresh {
		return lastPiece
	}
	return 2 * size
}

// pieces are pieces of the last size that bodies reuse. So an image of 5 MB takes the 5 MB of its
// string, and not another 5 MB for the bytes that it was read from.
var pieces = sync.Pool{New: func() any { return new([lastPiece]byte) }}

// Body is a body that was read, in pieces, so that a large one takes no more memory than it has
// bytes.
type Body [][]byte

// Bytes returns the body in one piece.
func (b Body) Bytes() []byte {
	if len(b) == 1 {
		return b[0]
	}
	return bytes.Join(b, nil)
}

// byteOrderMark is a prefix that some proxies add to JSON. JSON must not begin with it, but readers
// may ignore it (RFC 8259, 8.1).
var byteOrderMark = []byte("\ufeff")

// WithoutMark returns the body without a byte order mark at its beginning.
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

// ReadBody reads a body of at most limit bytes; below 1 there is no limit. For a larger body it
// returns [ErrBodyTooLarge].
func (r *Reply) ReadBody(limit int64) (Body, error) {
	if limit > 0 && r.Size > limit {
		return nil, ErrBodyTooLarge
	}
	next := firstPiece
	if r.Size > 0 {
		next = int(min(r.Size+1, lastPiece)) // one byte more, to detect the end
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

// readPiece reads up to the given number of bytes. If it reads fewer, it returns the reason.
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

// Release frees the memory of a body that was read to its end, so that other bodies can reuse it.
// The caller must keep no reference to it.
//
// The memory of a body that failed is not released: a Read may still be running and write into it.
func (b Body) Release() {
	for _, piece := range b {
		if cap(piece) == lastPiece {
			pieces.Put((*[lastPiece]byte)(piece[:lastPiece]))
		}
	}
}

// ReadAll reads a body like [Reply.ReadBody] and returns it in one piece.
func (r *Reply) ReadAll(limit int64) ([]byte, error) {
	body, err := r.ReadBody(limit)
	return body.Bytes(), err
}

// ReadUpTo reads at most the first limit bytes of a body, or those that arrive before an error.
func (r *Reply) ReadUpTo(limit int64) []byte {
	body, _ := io.ReadAll(io.LimitReader(r, limit))
	return body
}
