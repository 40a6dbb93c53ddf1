package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// stdinName is the name of standard input, in arguments and in messages.
const stdinName = "-"

// inputNames returns the inputs that the arguments name: standard input when they name none.
func inputNames(args []string) ([]string, error) {
	if len(args) == 0 {
		return []string{stdinName}, nil
	}
	stdin := 0
	for _, name := range args {
		if name == stdinName {
			stdin++
		}
	}
	if stdin > 1 {
		return nil, errors.New("standard input (-) can be read only once")
	}
	return args, nil
}

// openInput opens a file, or standard input by its name.
func openInput(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == stdinName {
		return io.NopCloser(&interruptible{ctx: ctx, in: stdin}), nil
	}
	return os.Open(name)
}

// sameFile reports whether two paths lead to one file. Files that are not there are no files.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA != nil || errB != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return os.SameFile(infoA, infoB)
}

// interruptible stops waiting for in when the context ends: a read of a terminal or a pipe can last
// for ever, and nothing else ends it.
type interruptible struct {
	ctx context.Context
	in  io.Reader
	buf []byte
}

// Read implements [io.Reader]. After the context has ended, a read that was under way goes on into
// a buffer that nobody looks at.
func (r *interruptible) Read(p []byte) (int, error) {
	if r.buf == nil {
		r.buf = make([]byte, 64<<10)
	}
	buf := r.buf[:min(len(p), len(r.buf))]
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := r.in.Read(buf)
		done <- result{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case got := <-done:
		return copy(p, buf[:got.n]), got.err
	}
}
