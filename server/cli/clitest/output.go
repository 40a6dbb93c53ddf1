package clitest

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"
	"testing"
	"time"
)

// Output is a text that one goroutine writes and another reads. The zero value is empty.
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
	found, err := o.find(pattern, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// find waits until the text matches, and returns the groups. It stops waiting when the writer has
// ended. A nil channel means that the writer does not report its end.
func (o *Output) find(pattern string, ended <-chan struct{}) ([]string, error) {
	wanted := regexp.MustCompile(pattern)
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	patience := time.After(30 * time.Second)
	for why := ""; ; {
		if found := wanted.FindStringSubmatch(o.String()); found != nil {
			return found, nil
		}
		if why != "" {
			return nil, fmt.Errorf("%s: no %s in\n%s", why, pattern, o)
		}
		select {
		case <-look.C:
		case <-ended: // it may have written what is wanted last of all
			why = "it has ended"
		case <-patience:
			why = "it takes too long"
		}
	}
}
