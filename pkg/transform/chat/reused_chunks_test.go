package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func TestReusedChunksAreTheSameUntilTheNextCall(t *testing.T) {
	t.Parallel()
	for _, bodies := range [][]string{groundedStream, replacing} {
		fresh, reused := chat.NewStream(), chat.NewStream(chat.WithReusedEvents())
		for i, c := range append(openaitest.DecodeAll(t, bodies), nil) {
			want, got := pushedInto(t, fresh, c), pushedInto(t, reused, c)
			if got != want {
				t.Errorf("chunk %d: %s, want %s", i, got, want)
			}
		}
	}
}

// pushedInto returns a stream's result for a chunk as JSON, or for its end if the chunk is nil.
func pushedInto(t *testing.T, s *chat.Stream, c *geminiapi.GenerateContentResponse) string {
	t.Helper()
	var out []openaiapi.CreateChatCompletionStreamResponse
	if c != nil {
		out, _ = s.Push(c)
	} else {
		out, _ = s.Close(nil) // the error of a stream without an end is the same
	}
	var all []byte
	for i := range out {
		var err error
		if all, err = openai.AppendChunk(all, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return string(all)
}
