// Package failuretest records the failures of a test, to test packages whose functions fail tests.
package failuretest

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Recorder is a test that records its failures and does not fail. A fatal failure ends the
// goroutine. The TB must be set, and provides all other methods. A Recorder is safe for concurrent
// use.
type Recorder struct {
	testing.TB

	mu       sync.Mutex
	texts    []string
	cleanups []func()
}

// Helper does nothing, because no line numbers are recorded.
func (r *Recorder) Helper() {}

// Error records a failure.
func (r *Recorder) Error(args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, fmt.Sprint(args...))
}

// Errorf records a failure.
func (r *Recorder) Errorf(format string, args ...any) { r.Error(fmt.Sprintf(format, args...)) }

// Fatal records a failure and ends the goroutine.
func (r *Recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

// Fatalf records a failure and ends the goroutine.
func (r *Recorder) Fatalf(format string, args ...any) { r.Fatal(fmt.Sprintf(format, args...)) }

// Failed reports whether a failure was recorded.
func (r *Recorder) Failed() bool { return len(r.Texts()) > 0 }

// Cleanup adds a function for [Recorder.End].
func (r *Recorder) Cleanup(do func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, do)
}

// Texts returns the failures so far.
func (r *Recorder) Texts() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.texts)
}

// Text returns the failures so far, one in each line.
func (r *Recorder) Text() string { return strings.Join(r.Texts(), "\n") }

// End ends the test: it calls the functions of Cleanup, the last one first.
func (r *Recorder) End() {
	r.mu.Lock()
	cleanups := r.cleanups
	r.cleanups = nil
	r.mu.Unlock()
	for _, do := range slices.Backward(cleanups) {
		do()
	}
}
