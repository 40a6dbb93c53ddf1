package messages_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/messages"
	"github.com/gemwire/gemwire/pkg/wire"
)

// closesBefore is a writer that fails at the first write that contains a text, and at all later
// writes.
type closesBefore struct {
	text     string
	isClosed bool
	writes   int // after it failed
}

func (w *closesBefore) Write(p []byte) (int, error) {
	if w.isClosed {
		w.writes++
	}
	if w.isClosed = w.isClosed || strings.Contains(string(p), w.text); w.isClosed {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestErrorsOfTheStreamAndOfItsWriterAreReturned(t *testing.T) {
	t.Parallel()
	const cut = `data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}` + "\n\n"
	for name, test := range map[string]struct {
		writer      closesBefore
		isTruncated bool
	}{
		"the error cannot be written": {closesBefore{text: `"type":"error"`}, true},
		"a text cannot be written":    {closesBefore{text: `"Hi"`}, false},
	} {
		_, err := messages.WriteStream(&test.writer,
			gemini.NewStreamReader(strings.NewReader(cut)).All())
		if !errors.Is(err, io.ErrClosedPipe) ||
			errors.Is(err, wire.ErrTruncated) != test.isTruncated || test.writer.writes > 0 {
			t.Errorf("%s: %v, and %d writes after the failure", name, err, test.writer.writes)
		}
	}
}
