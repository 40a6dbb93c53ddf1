package aisdk_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gemwire/gemwire/pkg/aisdk"
)

func TestReadStreamReadsToTheFinish(t *testing.T) {
	t.Parallel()
	const (
		start  = `{"type":"text-start","id":"0"}` + "\n"
		finish = `{"type":"finish","usage":{"inputTokens":{},"outputTokens":{}},"finishReason":{"unified":"stop"}}` +
			"\n"
	)
	tests := map[string]struct {
		input   string
		parts   int
		pointer string
		offset  int64
		reason  string
	}{
		"whole":            {start + finish, 2, "", 0, ""},
		"nothing":          {"", 0, "/0", -1, "the stream is truncated: its last part is not finish"},
		"no finish":        {start, 1, "/1", -1, "the stream is truncated: its last part is not finish"},
		"more than finish": {finish + start, 1, "/1", -1, "it comes after finish, which ends the stream"},
		"a wrong type":     {start + `{"type":"text-start","id":7}`, 1, "/1/id", 31, "a string was expected"},
		"cut off":          {start + `{"type":"text-st`, 1, "/1/type", 47, "it ends too early"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parts := 0
			var failed error
			for part, err := range aisdk.ReadStream(
				iotest.OneByteReader(strings.NewReader(test.input))) {
				if failed = err; part != nil {
					parts++
				}
			}
			if parts != test.parts || (failed == nil) != (test.reason == "") {
				t.Fatalf("%d parts, %v", parts, failed)
			}
			if fault, ok := errors.AsType[*aisdk.PartError](failed); failed != nil {
				pointer, offset := fault.Location()
				if !ok || pointer != test.pointer || offset != test.offset ||
					fault.Reason() != test.reason {
					t.Errorf("%v", failed)
				}
			}
			if truncated := strings.Contains(test.reason,
				"truncated"); truncated != errors.Is(failed, aisdk.ErrTruncated) {
				t.Errorf("%v is truncated: %v", failed, !truncated)
			}
		})
	}
}
