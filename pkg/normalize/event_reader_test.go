package normalize_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
)

func TestReadEventsReadsToTheEventThatEndsTheStream(t *testing.T) {
	t.Parallel()
	const one = `{"type":"text_delta","text":"one"}` + "\n"
	tests := map[string]struct {
		input   string
		events  int
		pointer string
		offset  int64
		reason  string
	}{
		"done":             {one + `{"type":"done"}`, 2, "", 0, ""},
		"an error":         {one + `{"type":"error","error":{"category":"server","message":"busy"}}` + "\n", 2, "", 0, ""},
		"nothing":          {"", 0, "/0", 0, "the stream is truncated: no event is done or error"},
		"no end":           {one, 1, "/1", 34, "the stream is truncated: no event is done or error"},
		"more than an end": {`{"type":"done"} ` + one, 1, "/1", 16, "an event after the last event of the stream"},
		"cut off":          {one + `{"type":"do`, 1, "/1/type", 46, "the input ends too early"},
		"no JSON":          {one + `x`, 1, "/1", 35, "not JSON"},
		"an unknown name":  {one + `{"type":"done","more":1}`, 1, "/1/more", 50, "the format has no such member"},
		"a wrong type":     {one + `{"type":7}`, 1, "/1/type", 43, "an enum name was expected, found a number"},
		"no object":        {one + `[]`, 1, "/1", 35, "an object was expected, found a list"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events := 0
			var failed error
			for event, err := range normalize.ReadEvents(
				iotest.OneByteReader(strings.NewReader(test.input))) {
				if failed = err; event != nil {
					events++
				}
			}
			if events != test.events || (failed == nil) != (test.reason == "") {
				t.Fatalf("%d events, %v", events, failed)
			}
			if fault, ok := errors.AsType[*wire.MalformedError](failed); failed != nil &&
				(!ok || fault.Pointer != test.pointer || fault.Offset != test.offset ||
					fault.Message != test.reason) {
				t.Errorf("%v", failed)
			}
			if truncated := strings.Contains(test.reason,
				"truncated"); truncated != errors.Is(failed, wire.ErrTruncated) {
				t.Errorf("%v is truncated: %v", failed, !truncated)
			}
		})
	}
}

func TestReadEventsReturnsTheErrorOfItsReader(t *testing.T) {
	t.Parallel()
	broken := iotest.ErrReader(io.ErrClosedPipe)
	for _, err := range normalize.ReadEvents(io.MultiReader(strings.NewReader(`{"type":"do`),
		broken)) {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
}
