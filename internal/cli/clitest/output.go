package clitest

import (
	"bytes"
	"regexp"
	"sync"
	"testing"
	"time"
)

// Output is a text that one writes and another reads. The zero value is empty.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns what was written so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Forget empties the text.
func (o *Output) Forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = bytes.Buffer{}
}

// WaitFor waits until the text matches, and returns the groups.
func (o *Output) WaitFor(t *testing.T, pattern string) []string {
	t.Helper()
	wanted := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if found := wanted.FindStringSubmatch(o.String()); found != nil {
			return found
		}
	}
	t.Fatalf("no %s in\n%s", pattern, o)
	return nil
}
