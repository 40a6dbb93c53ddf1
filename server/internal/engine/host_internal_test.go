package engine

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// A lost connection is tried again ten times a second.
func TestAServerThatDoesNotStartIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := &host{settings: Settings{Logger: slog.New(slog.NewTextHandler(&log, nil))}}
	h.note(errors.New("the caller of Open gets this one"))
	h.note(nil)
	h.opened.Store(true)
	for range 3 {
		h.note(errors.New("damaged"))
	}
	h.note(nil)
	h.note(errors.New("damaged"))
	if n := strings.Count(log.String(), "error=damaged"); n != 2 ||
		strings.Contains(log.String(), "Open") {
		t.Errorf("it is logged %d times\n%s", n, log.String())
	}
}
