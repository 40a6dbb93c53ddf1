package recording

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// tail holds the bytes of a stream after its last chunk. If the stream breaks, they could not be
// read. Of more than [exchange.MaxBroken] bytes it holds the beginning, which shows what they are,
// and the end, after which a further chunk may follow.
type tail struct {
	io.ReadCloser
	beginning, end []byte
	isCut          bool // bytes between beginning and end are missing
}

// gap stands for the missing bytes.
const gap = "\n…\n"

// maxTail is the maximum size of the beginning and of the end.
const maxTail = (exchange.MaxBroken - len(gap)) / 2

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.add(p[:n])
	return n, err
}

// add adds bytes that were read.
func (t *tail) add(data []byte) {
	room := min(maxTail-len(t.beginning), len(data))
	if len(t.end) > 0 {
		room = 0
	}
	t.beginning = append(t.beginning, data[:room]...)
	t.end = append(t.end, data[room:]...)
	if excess := len(t.end) - maxTail; excess > 0 {
		t.end = append(t.end[:0], t.end[excess:]...)
		t.isCut = true
	}
}

// passed removes a chunk that was read, and all before it.
func (t *tail) passed(chunk []byte) {
	const enough = 1 << 10 // The beginning of a large chunk may be missing.
	chunk = chunk[max(0, len(chunk)-enough):]
	held := slices.Concat(t.beginning, t.end)
	at := bytes.Index(held, chunk)
	if at < 0 { // of several lines, or missing
		at = len(held) - len(chunk)
	}
	if t.isCut && at+len(chunk) < len(t.beginning) { // The missing bytes follow.
		t.beginning = t.beginning[at+len(chunk):]
		return
	}
	t.beginning, t.end, t.isCut = t.beginning[:0], t.end[:0], false
	t.add(held[max(0, at+len(chunk)):])
}

// rest returns the held bytes.
func (t *tail) rest() []byte {
	if t.isCut {
		return slices.Concat(t.beginning, []byte(gap), t.end)
	}
	return slices.Concat(t.beginning, t.end)
}

// broken returns the bytes that broke a stream, or nil if an error has another cause.
func (t *tail) broken(err error) []byte {
	stream, isStream := errors.AsType[*wire.StreamError](err)
	if t == nil || !isStream || errors.Is(stream, context.Canceled) ||
		errors.Is(stream, context.DeadlineExceeded) {
		return nil
	}
	return bytes.Trim(t.rest(), codec.Space)
}
