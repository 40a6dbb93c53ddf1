package gemini_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
)

func TestAStreamErrorSaysWhereInTheBodyTheFaultIs(t *testing.T) {
	t.Parallel()
	const chunk = `data: {"candidates":[]}` + "\n\n" // of 25 bytes
	tests := map[string]struct {
		body    io.Reader
		pointer string
		offset  int64
		reason  string
	}{
		"on one line":      {strings.NewReader(chunk + `data: {"candidates":[{"content":{"parts":[{"text":7}]}}]}` + "\n\n"), "/1/candidates/0/content/parts/0/text", 75, "a string was expected, found a number"},
		"on several lines": {strings.NewReader(chunk + "data: {\ndata: \"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n\n"), "/1/candidates/0/content/parts/0/text", 31, "a string was expected, found a number"},
		"in JSON lines":    {strings.NewReader("{}\n{\n\"candidates\":[{\"content\":{\"parts\":[{\"text\":7}]}}]}\n"), "/1/candidates/0/content/parts/0/text", 48, "a string was expected, found a number"},
		"at the end":       {strings.NewReader(chunk), "/1", 25, "the stream is truncated: no finish reason"},
		"without a body":   {strings.NewReader(""), "/0", 0, "the stream is truncated: the body is empty"},
		"in the reader":    {io.MultiReader(strings.NewReader(chunk), iotest.ErrReader(io.ErrClosedPipe)), "/1", 25, io.ErrClosedPipe.Error()},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failed error
			for _, err := range gemini.NewStreamReader(test.body).All() {
				failed = err
			}
			fault, ok := errors.AsType[*wire.StreamError](failed)
			if !ok {
				t.Fatal(failed)
			}
			pointer, offset := fault.Location()
			if pointer != test.pointer || offset != test.offset || fault.Reason() != test.reason {
				t.Errorf("%s, %d: %s; want %s, %d: %s", pointer, offset, fault.Reason(),
					test.pointer, test.offset, test.reason)
			}
		})
	}
}
