package cli

import "io"

// watchedWriter remembers why writing failed, which converters of streams wrap in words of their
// own.
type watchedWriter struct {
	out    io.Writer
	failed error
}

// Write implements [io.Writer].
func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if err != nil {
		w.failed = err
	}
	return n, err
}
