// Package process handles a command's process: standard streams and files that a signal can
// interrupt, and the exit code.
package process

import (
	"context"
	"errors"
	"io"
	"strconv"
	"syscall"
)

// SignalError is the cause of a context that ended because the process received a signal; see
// [ExitCode].
type SignalError struct{ Signal syscall.Signal }

// Error returns the name of the signal.
func (e *SignalError) Error() string { return "signal: " + e.Signal.String() }

// The exit codes.
const (
	// ExitDone means success.
	ExitDone = 0
	// ExitFailed means that an input, a conversion, a call or a file failed. Standard error has the
	// details.
	ExitFailed = 1
	// ExitUsage means that the command line is invalid.
	ExitUsage = 2
)

// ErrFailed ends a command that has already printed its failures on standard error. Every other
// error of a command is a usage error.
var ErrFailed = errors.New("failed")

// StatusError ends a command with the exit code of a program that it ran.
type StatusError struct{ Code int }

// Error returns the exit code as text.
func (e *StatusError) Error() string { return "exit code " + strconv.Itoa(e.Code) }

// exitOfSignal is the base of a shell's exit code for a signal. The number of the signal is added.
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

// ErrInterrupted is returned by reads and writes after the context has ended.
var ErrInterrupted = errors.New("interrupted")

// UnlessInterrupted returns the result of do, but stops waiting when ctx ends. Opening, reading and
// writing a pipe or a terminal can block forever, and nothing else can interrupt it. After that do
// still runs, and its result is dropped.
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

// pieceSize is the size of one step of an interruptible reader or writer.
const pieceSize = 64 << 10

// Reader reads from in until ctx ends. [NewReader] makes it.
type Reader struct {
	ctx context.Context
	in  io.Reader
	buf []byte // may be written to after the context has ended
}

// NewReader returns a reader that reads from in until ctx ends.
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

// Writer writes to out until ctx ends. [NewWriter] makes it.
type Writer struct {
	ctx    context.Context
	out    io.Writer
	buf    []byte // may be read from after the context has ended
	failed error
}

// NewWriter returns a writer that writes to out until ctx ends.
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
