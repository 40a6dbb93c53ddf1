package cli

import "io"

// watchedWriter records why a write failed, because converters of streams wrap that error in their
// own words.
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
