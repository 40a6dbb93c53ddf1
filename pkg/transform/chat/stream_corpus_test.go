package chat_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

func TestEveryRecordedStreamAccumulatesToTheUnaryCompletion(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		wire, failure := openaitest.ReadStream(p.Read(t))
		for name, opts := range modes {
			opts := append([]chat.Option{chat.WithUsage()}, opts...)
			out := convertStream(t, wire, failure, opts...)
			checkBody(t, wire, failure, out, opts...)
			if out.err != nil {
				count[name+" failed"]++
				if failure != nil && !errors.Is(out.err, failure) {
					t.Errorf("%s: %s: the stream fails with %v instead of %v", p.Name, name,
						out.err, failure)
				}
				continue
			}
			count[name]++
			if diff := cmp.Diff(openaitest.Unary(t, wire, opts...),
				openaitest.Accumulate(out.chunks), sameCompletion); diff != "" {
				t.Errorf("%s: %s: -unary +accumulated: %s", p.Name, name, diff)
			}
		}
	}
	t.Log(count)
}
