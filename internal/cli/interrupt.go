package cli

import (
	"context"
	"errors"
	"io"
	"syscall"
)

// SignalError is the cause of a context that ended because the process got a signal; see [Run].
type SignalError struct{ Signal syscall.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "signal: " + e.Signal.String() }

// exitOfSignal is what shells report of a process that a signal ended, less the signal's number.
const exitOfSignal = 128

// exitCode returns the exit code of a call that failed.
func exitCode(ctx context.Context, stdout *interruptibleWriter) int {
	if ended, ok := errors.AsType[*SignalError](context.Cause(ctx)); ok {
		return exitOfSignal + int(ended.Signal)
	}
	if errors.Is(stdout.failed, syscall.EPIPE) {
		return exitOfSignal + int(syscall.SIGPIPE)
	}
	return ExitFailed
}

// errInterrupted is why nothing more is read or written after the context has ended.
var errInterrupted = errors.New("interrupted")

// unlessInterrupted returns what do returns, but does not wait for it longer than ctx lasts: opening,
// reading and writing a pipe or a terminal can last for ever, and nothing else ends it. After that do still
// runs, and what it returns is dropped.
func unlessInterrupted[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, errInterrupted
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		return none, errInterrupted
	case got := <-done:
		return got.value, got.err
	}
}

// pieceSize is how much an interruptible reader or writer moves at once.
const pieceSize = 64 << 10

// interruptibleReader reads like in until ctx ends.
type interruptibleReader struct {
	ctx context.Context
	in  io.Reader
	buf []byte // may be written to after the context has ended
}

// Read implements [io.Reader].
func (r *interruptibleReader) Read(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, pieceSize)
	}
	buf := r.buf[:min(len(p), len(r.buf))]
	n, err := unlessInterrupted(r.ctx, func() (int, error) { return r.in.Read(buf) })
	return copy(p, buf[:n]), err
}

// interruptibleWriter writes like out until ctx ends.
type interruptibleWriter struct {
	ctx    context.Context
	out    io.Writer
	buf    []byte // may be read from after the context has ended
	failed error
}

// Write implements [io.Writer].
func (w *interruptibleWriter) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) && w.failed == nil {
		w.buf = append(w.buf[:0], p[written:min(len(p), written+pieceSize)]...)
		var n int
		n, w.failed = unlessInterrupted(w.ctx, func() (int, error) { return w.out.Write(w.buf) })
		written += n
	}
	return written, w.failed
}
