package recording

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// tail holds the bytes of a stream after its last chunk, at most the last [exchange.MaxBroken]. If
// the stream breaks, they could not be read.
type tail struct {
	io.ReadCloser
	rest []byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.rest = append(t.rest, p[:n]...)
	if excess := len(t.rest) - exchange.MaxBroken; excess > 0 {
		t.rest = append(t.rest[:0], t.rest[excess:]...)
	}
	return n, err
}

// passed removes a chunk that was read, and all before it.
func (t *tail) passed(chunk []byte) {
	const enough = 1 << 10 // The beginning of a large chunk may not be held any more.
	chunk = chunk[max(0, len(chunk)-enough):]
	at := bytes.Index(t.rest, chunk)
	if at < 0 { // of several lines, or of before what is held
		t.rest = t.rest[:0]
		return
	}
	t.rest = append(t.rest[:0], t.rest[at+len(chunk):]...)
}

// broken returns the bytes that broke a stream, or nil if an error has another cause.
func (t *tail) broken(err error) []byte {
	stream, isStream := errors.AsType[*wire.StreamError](err)
	if t == nil || !isStream || errors.Is(stream, context.Canceled) ||
		errors.Is(stream, context.DeadlineExceeded) {
		return nil
	}
	return bytes.Trim(t.rest, codec.Space)
}
