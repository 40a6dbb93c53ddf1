package transport

import (
	"io"
	"sync/atomic"
)

// payload is the body of a request in memory. Package http keeps a request while its reply is read,
// which takes long for a stream. The payload can be released earlier.
type payload struct {
	data   atomic.Pointer[[]byte] // nil after release
	isSent atomic.Bool            // true after the payload was read to its end
}

func newPayload(data []byte) *payload {
	p := &payload{}
	p.data.Store(&data)
	return p
}

// open returns a reader from the beginning, like GetBody of package http.
func (p *payload) open() (io.ReadCloser,
	error) {
	return io.NopCloser(&payloadReader{payload: p}), nil
}

// release releases a payload that was sent. A payload that the server has not fully read stays.
func (p *payload) release() {
	if p != nil && p.isSent.Load() {
		p.data.Store(nil)
	}
}

type payloadReader struct {
	*payload
	pos int
}

func (r *payloadReader) Read(dst []byte) (int, error) {
	data := r.data.Load()
	if data == nil || r.pos == len(*data) {
		return 0, io.EOF
	}
	n := copy(dst, (*data)[r.pos:])
	r.pos += n
	if r.pos == len(*data) {
		r.isSent.Store(true)
	}
	return n, nil
}
