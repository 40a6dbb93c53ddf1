// Package process is what every command has to do with its process: the standard streams, and
// files, that a signal must not wait for, and how the process ends.
package process

import (
	"context"
	"errors"
	"io"
	"strconv"
	"syscall"
)

// SignalError is the cause of a context that ended because the process got a signal; see
// [ExitCode].
type SignalError struct{ Signal syscall.Signal }

// Error names the signal.
func (e *SignalError) Error() string { return "signal: " + e.Signal.String() }

// The exit codes.
const (
	// ExitDone means that everything was done.
	ExitDone = 0
	// ExitFailed means that an input, a conversion, a call or a file failed; standard error names
	// it.
	ExitFailed = 1
	// ExitUsage means that the command was called in a way that it does not understand.
	ExitUsage = 2
)

// ErrFailed ends a command whose failures are on standard error already. Every other error that a
// command returns is one of usage.
var ErrFailed = errors.New("failed")

// StatusError ends a command with the exit code of a program that it ran.
type StatusError struct{ Code int }

// Error names the code.
func (e *StatusError) Error() string { return "exit code " + strconv.Itoa(e.Code) }

// exitOfSignal is what shells report of a process that a signal ended, less the signal's number.
const exitOfSignal = 128

// ExitCode returns the exit code of a call that failed.
func ExitCode(ctx context.Context, stdout *Writer) int {
	if ended, ok := errors.AsType[*SignalError](context.Cause(ctx)); ok {
		return exitOfSignal + int(ended.Signal)
	}
	if errors.Is(stdout.failed, syscall.EPIPE) {
		return exitOfSignal + int(syscall.SIGPIPE)
	}
	return ExitFailed
}

// ErrInterrupted is why nothing more is read or written after the context has ended.
var ErrInterrupted = errors.New("interrupted")

// UnlessInterrupted returns what do returns, but does not wait for it longer than ctx lasts:
// opening, reading and writing a pipe or a terminal can last for ever, and nothing else ends it.
// After that do still runs, and what it returns is dropped.
func UnlessInterrupted[T any](ctx context.Context, do func() (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, ErrInterrupted
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
		return none, ErrInterrupted
	case got := <-done:
		return got.value, got.err
	}
}

// pieceSize is how much an interruptible reader or writer moves at once.
const pieceSize = 64 << 10

// Reader reads like in until ctx ends. It is made by [NewReader].
type Reader struct {
	ctx context.Context
	in  io.Reader
	buf []byte // may be written to after the context has ended
}

// NewReader returns a reader that reads like in until ctx ends.
func NewReader(ctx context.Context, in io.Reader) *Reader { return &Reader{ctx: ctx, in: in} }

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, pieceSize)
	}
	buf := r.buf[:min(len(p), len(r.buf))]
	n, err := UnlessInterrupted(r.ctx, func() (int, error) { return r.in.Read(buf) })
	return copy(p, buf[:n]), err
}

// Writer writes like out until ctx ends. It is made by [NewWriter].
type Writer struct {
	ctx    context.Context
	out    io.Writer
	buf    []byte // may be read from after the context has ended
	failed error
}

// NewWriter returns a writer that writes like out until ctx ends.
func NewWriter(ctx context.Context, out io.Writer) *Writer { return &Writer{ctx: ctx, out: out} }

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) && w.failed == nil {
		w.buf = append(w.buf[:0], p[written:min(len(p), written+pieceSize)]...)
		var n int
		n, w.failed = UnlessInterrupted(w.ctx, func() (int, error) { return w.out.Write(w.buf) })
		written += n
	}
	return written, w.failed
}
