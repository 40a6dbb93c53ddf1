package messages_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/transform/messages"
)

func TestReusedEventsAreTheSameUntilTheNextCall(t *testing.T) {
	t.Parallel()
	for mode, opts := range modes {
		fresh := messages.NewStream(opts...)
		reused := messages.NewStream(append(opts[:len(opts):len(opts)],
			messages.WithReusedEvents())...)
		for i, c := range append(openaitest.DecodeAll(t, loop), nil) {
			if want, got := pushedInto(t, fresh, c), pushedInto(t, reused, c); got != want {
				t.Errorf("%s: chunk %d: %s, want %s", mode, i, got, want)
			}
		}
	}
}

// pushedInto returns a stream's result for a chunk as JSON, or for its end if the chunk is nil.
func pushedInto(t *testing.T, s *messages.Stream, c *geminiapi.GenerateContentResponse) string {
	t.Helper()
	var out []anthropicapi.StreamEvent
	var err error
	if c != nil {
		out, err = s.Push(c)
	} else {
		out, err = s.Close(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for i := range out {
		if all, err = anthropic.AppendEvent(all, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(all)
}

// The next conversion reuses the memory of a conversion.
func TestMessagesShareNothingWithThoseAfterThem(t *testing.T) {
	t.Parallel()
	for mode, opts := range modes {
		first, _ := parts(t,
			`{"text":"hm","thought":true,"thoughtSignature":"b25l"},{"text":"one"},{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"b25l"},{"executableCode":{"code":"1"}}`,
			opts...)
		before := encode(t, first)
		parts(t, `{"text":"no","thought":true,"thoughtSignature":"dHdv"},{"text":"two"},{"functionCall":{"name":"g","args":{"b":2}},"thoughtSignature":"dHdv"},{"executableCode":{"code":"2"}}`,
			opts...)
		if after := encode(t, first); after != before {
			t.Errorf("%s: another conversion has changed %s into %s", mode, before, after)
		}
	}
}
