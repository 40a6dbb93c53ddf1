package interactions_test

import (
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions"
)

func TestAStreamOfReusedChunksIsTheSame(t *testing.T) {
	t.Parallel()
	for _, opts := range modes {
		openaitest.CompareReusedChunks(t, openaitest.WithOptions(interactions.WriteStream, opts...))
	}
}

func TestReusedEventsAreTheSameUntilTheNextCall(t *testing.T) {
	t.Parallel()
	for mode, opts := range modes {
		fresh := interactions.NewStream(opts...)
		reused := interactions.NewStream(append(opts[:len(opts):len(opts)],
			interactions.WithReusedEvents())...)
		var last *interactionsapi.StreamEvent
		isReused := false
		bodies := strings.Split(streamSeeds[0], "\n")
		for i, c := range append(openaitest.DecodeAll(t, bodies), nil) {
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
func pushedInto(t *testing.T, s *interactions.Stream,
	c *geminiapi.GenerateContentResponse) (string, *interactionsapi.StreamEvent) {
	t.Helper()
	var out []interactionsapi.StreamEvent
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
		if all, err = wire.AppendEvent(all, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(all), &out[0]
}

func TestAnOpenStreamIsSmall(t *testing.T) {
	payloadtest.HoldOpenStreams(t, func(body io.Reader) func() error {
		in, s, out := gemini.NewStreamReader(body), interactions.NewStream(),
			wire.NewStreamWriter(io.Discard)
		return func() error {
			c, err := in.Next()
			if err != nil {
				return err
			}
			events, err := s.Push(c)
			if err != nil {
				return err
			}
			return out.Write(events...)
		}
	})
}

func TestConcurrentStreamsShareNothing(t *testing.T) {
	t.Parallel()
	var want []string
	for _, seed := range streamSeeds {
		text, _ := visibleStream(openaitest.DecodeAll(t, strings.Split(seed, "\n")))
		want = append(want, text)
	}
	var all sync.WaitGroup
	for n := range 40 {
		all.Go(func() {
			i := n % len(streamSeeds)
			got, _ := visibleStream(openaitest.DecodeAll(t, strings.Split(streamSeeds[i], "\n")))
			if got != want[i] {
				t.Errorf("stream %d is %s", i, got)
			}
		})
	}
	all.Wait()
}

// Google's API omits the id of an interaction that is not stored. In a stream the id is empty.
func TestAnInteractionThatIsNotStoredHasNoID(t *testing.T) {
	t.Parallel()
	const answer = `{"responseId":"r","candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"Hello"}]}}]}`
	for mode, opts := range modes {
		opts = append(opts[:len(opts):len(opts)], interactions.WithoutID())
		in := openaitest.Decode(t, answer)
		out, entries, err := interactions.FromGemini(in, opts...)
		if err != nil {
			t.Fatal(err)
		}
		isKept := strings.Contains(string(out.Unknown), `"responseId":"r"`)
		isLost := entries.Of(report.Lost).Covers("/responseId")
		if out.ID != nil || isKept == isLost || entries.Of(report.Added) != nil {
			t.Errorf("%s: %+v, %v", mode, out, entries)
		}
		stream := interactions.NewStream(opts...)
		events, err := stream.Push(in)
		if err != nil {
			t.Fatal(err)
		}
		last, err := stream.Close(nil)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, last...)
		for i := range events {
			e := &events[i]
			if e.Interaction != nil && (e.Interaction.ID == nil || *e.Interaction.ID != "") ||
				e.InteractionID != nil && *e.InteractionID != "" {
				t.Errorf("%s: event %d has an id: %+v", mode, i, e)
			}
		}
		if stream.Report().Of(report.Lost).Covers("/0/responseId") != isLost {
			t.Errorf("%s: the stream reports %v", mode, stream.Report())
		}
	}
}
