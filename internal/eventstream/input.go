package eventstream

import (
	"io"
	"sync"
)

// inputSize is the number of bytes of one read. The HTTP client of the standard library returns at
// most this size at once, and a few chunks of text fit into it.
const inputSize = 2 << 10

// maxEmptyReads is the number of reads in a row that may return neither bytes nor an error, as in
// package bufio.
const maxEmptyReads = 100

// windows has the buffers of readers whose stream has ended. Most streams are short, and a new
// buffer would be their largest allocation.
var windows = sync.Pool{New: func() any { return new([inputSize]byte) }}

// input is a window into the body. It holds the bytes that were read and not yet consumed.
type input struct {
	r        io.Reader
	buf      *[inputSize]byte // taken at the first read
	pos, end int              // what is unread in buf
	offset   int64            // of buf in the body
	err      error            // what r ended with
}

// unread returns the bytes that were read and not yet consumed. They are valid until the next call
// of more.
func (in *input) unread() []byte {
	if in.buf == nil {
		return nil
	}
	return in.buf[in.pos:in.end]
}

func (in *input) consume(n int) { in.pos += n }

// consumed returns how many bytes of the body were consumed.
func (in *input) consumed() int64 { return in.offset + int64(in.pos) }

// more reads once, and appends to the unread bytes, which may move. Afterwards unread returns more
// bytes, or err is set.
func (in *input) more() {
	rest := in.unread()
	if in.buf == nil {
		in.buf = windows.Get().(*[inputSize]byte)
	}
	in.offset += int64(in.pos)
	in.end = copy(in.buf[:], rest)
	in.pos = 0
	for range maxEmptyReads {
		n, err := in.r.Read(in.buf[in.end:])
		in.end += n
		in.err = err
		if n > 0 || err != nil {
			return
		}
	}
	in.err = io.ErrNoProgress
}

// release gives the window to the next reader, and releases the body. After a failed body, an
// abandoned read may still write to the window, for example in a reader with a timeout. Such a
// window is not used again.
func (in *input) release() {
	if in.buf != nil && (in.err == nil || in.err == io.EOF) {
		windows.Put(in.buf)
	}
	*in = input{err: io.EOF}
}
