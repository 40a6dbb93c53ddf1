package normalize_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
)

// readStream reads a recorded stream.
func readStream(body []byte) stream {
	var out stream
	reader := gemini.NewStreamReader(bytes.NewReader(body))
	for {
		chunk, err := reader.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			out.err = err
			return out
		}
		out.chunks = append(out.chunks, chunk)
	}
}

func TestEveryRecordedStreamAccumulatesToTheUnaryResponse(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	calls, partial, signatures := 0, 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			s := readStream(p.Read(t))
			events := checkStream(t, s)
			last := events[len(events)-1]
			switch {
			case last.Type == normalize.EventDone:
				count["done"]++
			case last.Error.Category == normalize.CategoryContentFilter:
				count["blocked"]++
			case errors.Is(last.Error, wire.ErrTruncated):
				count["truncated"]++
			default:
				count["error"]++
			}
			for i := range events {
				switch events[i].Type {
				case normalize.EventToolCallDone:
					calls++
				case normalize.EventSignature:
					signatures++
				}
			}
			for _, chunk := range s.chunks {
				partial += partialArguments(chunk)
			}
		})
	}
	t.Logf("%v, %d calls, %d partial arguments, %d signatures", count, calls, partial, signatures)
}

func partialArguments(chunk *geminiapi.GenerateContentResponse) int {
	n := 0
	for _, c := range chunk.Candidates {
		if c.Content == nil {
			continue
		}
		for _, p := range c.Content.Parts {
			if p.FunctionCall != nil {
				n += len(p.FunctionCall.PartialArgs)
			}
		}
	}
	return n
}
