package transport

import (
	"errors"
	"io"
)

// ErrBodyTooLarge reports a body above its limit.
var ErrBodyTooLarge = errors.New("the body is larger than its limit")

// trustedSize is the length up to which memory is taken because a header announces a body.
const trustedSize = 16 << 20

// ReadAll reads a body of up to limit bytes; there is no limit below 1. For a larger one it returns what is within the
// limit, and [ErrBodyTooLarge].
func (r *Reply) ReadAll(limit int64) ([]byte, error) {
	if limit > 0 && r.Size > limit {
		return nil, ErrBodyTooLarge
	}
	var body []byte
	if r.Size > 0 {
		body = make([]byte, 0, min(r.Size, trustedSize)+1) // one more, to find the end
	} else {
		body = make([]byte, 0, 2048)
	}
	for {
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case limit > 0 && int64(len(body)) > limit:
			return body[:limit], ErrBodyTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return body, err
		case len(body) == cap(body):
			body = append(body, 0)[:len(body)]
		}
	}
}

// ReadUpTo reads the first limit bytes of a body at most, or as many as come before reading fails.
func (r *Reply) ReadUpTo(limit int64) []byte {
	body, _ := io.ReadAll(io.LimitReader(r, limit))
	return body
}
