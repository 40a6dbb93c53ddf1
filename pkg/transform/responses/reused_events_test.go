package responses_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
)

// thinkingStream has thoughts, a text and a call, so that most of its chunks make several events.
var thinkingStream = []string{
	`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"hm","thought":true}]}}]}`,
	`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"one"}]}}]}`,
	`{"responseId":"r","candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"b25l"}]}}]}`,
	`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"two"}]},"finishReason":"STOP"}]}`,
}

func TestReusedEventsAreTheSameUntilTheNextCall(t *testing.T) {
	t.Parallel()
	for mode, opts := range modes {
		fresh := toresponses.NewStream(opts...)
		reused := toresponses.NewStream(append(opts[:len(opts):len(opts)],
			toresponses.WithReusedEvents())...)
		var last *openaiapi.ResponseEvent
		isReused := false
		for i, c := range append(openaitest.DecodeAll(t, thinkingStream), nil) {
			want, _ := pushedInto(t, fresh, c)
			got, first := pushedInto(t, reused, c)
			if got != want {
				t.Errorf("%s: chunk %d: %s, want %s", mode, i, got, want)
			}
			isReused = isReused || first == last
			last = first
		}
		if !isReused {
			t.Errorf("%s: no call used the memory of the events before", mode)
		}
	}
}

// pushedInto returns a stream's result for a chunk as JSON, or for its end if the chunk is nil, and
// the first event.
func pushedInto(t *testing.T, s *toresponses.Stream, c *geminiapi.GenerateContentResponse) (string,
	*openaiapi.ResponseEvent) {
	t.Helper()
	var out []openaiapi.ResponseEvent
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
		if all, err = responses.AppendEvent(all, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(all), &out[0]
}
