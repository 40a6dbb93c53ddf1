package gemini

import "io"

const (
	// inputSize is how much is read at once: what the HTTP client of the standard library hands out,
	// and a few chunks of text.
	inputSize = 4 << 10
	// firstInputSize is the same until a read has filled it, which those of a stream that is slow or
	// short never do: about as much as one packet of the network carries.
	firstInputSize = 3 << 9
	// maxEmptyReads is how often a reader may return nothing and no error, as in package bufio.
	maxEmptyReads = 100
)

// input is the window onto the body: the bytes that were read and not yet consumed.
type input struct {
	r        io.Reader
	buf      []byte // made at the first read, and once again when a read has filled it
	pos, end int    // what is unread in buf
	offset   int64  // of buf in the body
	err      error  // what r ended with
}

// unread returns the bytes that are there, valid until the next call of more.
func (in *input) unread() []byte { return in.buf[in.pos:in.end] }

func (in *input) consume(n int) { in.pos += n }

// consumed returns how many bytes of the body were consumed.
func (in *input) consumed() int64 { return in.offset + int64(in.pos) }

// more reads once, behind the bytes that are still unread, which may move. Afterwards there are more
// of them, or err is set.
func (in *input) more() {
	rest := in.unread()
	switch {
	case in.buf == nil:
		in.buf = make([]byte, firstInputSize)
	case in.end == firstInputSize && len(in.buf) == firstInputSize:
		in.buf = make([]byte, inputSize)
	}
	in.offset += int64(in.pos)
	in.end = copy(in.buf, rest)
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
