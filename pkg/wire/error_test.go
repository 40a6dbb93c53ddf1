package wire_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/wire"
)

// located is an error with a location.
type located interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

func TestErrorsSayWhereAndWhat(t *testing.T) {
	t.Parallel()
	malformed := &wire.MalformedError{Wire: "gemini", Payload: "response", Pointer: "/a",
		Offset: 17, Message: "a list was expected"}
	tests := map[string]struct {
		err     located
		text    string
		pointer string
		offset  int64
		reason  string
	}{
		"malformed": {malformed, "gemini: response: /a: offset 17: a list was expected", "/a", 17, "a list was expected"},
		"malformed as a whole": {
			&wire.MalformedError{Wire: "openai", Payload: "request", Message: "the input is empty",
				Err: io.ErrUnexpectedEOF},
			"openai: request: offset 0: the input is empty", "", 0, "the input is empty",
		},
		"not encodable": {
			&wire.EncodeError{Wire: "gemini", Payload: "request", Pointer: "/a",
				Message: "not JSON"},
			"gemini: request: /a: not JSON", "/a", -1, "not JSON",
		},
		"a malformed event": {
			&wire.StreamError{Wire: "gemini", Event: 3, Offset: 100, Err: malformed},
			"gemini: stream: /2/a: offset 117: a list was expected", "/2/a", 117,
			"a list was expected",
		},
		"a malformed event of several lines": {
			&wire.StreamError{Wire: "gemini", Event: 3, Offset: 100, MultiLine: true,
				Err: malformed},
			"gemini: stream: /2/a: offset 100: a list was expected", "/2/a", 100,
			"a list was expected",
		},
		"truncated after one event": {
			&wire.StreamError{Wire: "gemini", Event: 2, Offset: 9, Problem: "no finish reason",
				Err: wire.ErrTruncated},
			"gemini: stream: truncated at byte 9 after 1 event: no finish reason", "/1", 9,
			"the stream is truncated: no finish reason",
		},
		"an event that is too large": {
			&wire.StreamError{Wire: "gemini", Event: 1, Offset: 6,
				Problem: "larger than the limit of 8 bytes",
				Err:     fmt.Errorf("x: %w", wire.ErrEventTooLarge)},
			"gemini: stream: /0: offset 6: larger than the limit of 8 bytes", "/0", 6,
			"larger than the limit of 8 bytes",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pointer, offset := test.err.Location()
			if test.err.Error() != test.text || pointer != test.pointer || offset != test.offset ||
				test.err.Reason() != test.reason {
				t.Errorf("%q at %q, %d: %q", test.err, pointer, offset, test.err.Reason())
			}
		})
	}
}

func TestALongPointerIsShortenedInTheText(t *testing.T) {
	t.Parallel()
	pointer := "/" + strings.Repeat("a", 1000)
	err := &wire.EncodeError{Wire: "gemini", Payload: "request", Pointer: pointer,
		Message: "not JSON"}
	if at, _ := err.Location(); len(err.Error()) > 300 || at != pointer {
		t.Errorf("%d bytes of text, a pointer of %d bytes", len(err.Error()), len(at))
	}
}
