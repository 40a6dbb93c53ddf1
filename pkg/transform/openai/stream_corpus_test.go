package openai_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/google/go-cmp/cmp"
)

// readStream reads a recorded stream, and what reading it failed with.
func readStream(data []byte) (chunks []*geminiapi.GenerateContentResponse, failure error) {
	for c, err := range gemini.NewStreamReader(bytes.NewReader(data)).All() {
		if err != nil {
			return chunks, err
		}
		chunks = append(chunks, c)
	}
	return chunks, nil
}

func TestEveryRecordedStreamAccumulatesToTheUnaryCompletion(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := readStream(p.Read(t))
		for name, opts := range modes {
			opts := append([]openai.Option{openai.WithUsage(true)}, opts...)
			out := convertStream(t, wire, failure, opts...)
			checkBody(t, wire, failure, out, opts...)
			if out.err != nil {
				count[name+" failed"]++
				if failure != nil && !errors.Is(out.err, failure) {
					t.Errorf("%s: %s: the stream fails with %v instead of %v", p.Name, name, out.err, failure)
				}
				continue
			}
			count[name]++
			if diff := cmp.Diff(unary(t, wire, opts...), accumulate(out.chunks), sameCompletion); diff != "" {
				t.Errorf("%s: %s: -unary +accumulated: %s", p.Name, name, diff)
			}
		}
	}
	t.Log(count)
}
