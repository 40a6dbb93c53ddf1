package chat_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// replacing are chunks that replace each other's ratings, author and counts. No candidate ends, so
// every form loses these values. Each chunk also has a value that some form has no member for.
var replacing = []string{
	`{"candidates":[{"content":{"role":"user","parts":[{"text":"a","thought":true}]},"safetyRatings":[{"category":"A"}]},{"index":1,"content":{"parts":[{"text":"b"}]}}],"usageMetadata":{"totalTokenCount":1}}`,
	`{"candidates":[{"content":{"role":"model","parts":[{"text":"c"}]},"safetyRatings":[{"category":"B"}],"finishMessage":"m"}],"usageMetadata":{"totalTokenCount":2}}`,
	`{"candidates":[{"content":{"role":"critic","parts":[{"functionCall":{"name":"f"}}]},"finishMessage":"n"}],"usageMetadata":{"totalTokenCount":3}}`,
}

// lossyStream is a stream of any form.
type lossyStream interface {
	Report() report.Report
	Lost() report.Report
}

func TestWithLossesOnlyTheReportHasTheLossesAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]func(lossesOnly bool) lossyStream{
		"normalized": func(lossesOnly bool) lossyStream {
			var opts []normalize.Option
			if lossesOnly {
				opts = append(opts, normalize.WithLossesOnly())
			}
			s := normalize.NewStream(opts...)
			s.Reset() // which keeps the options
			return pushed(t, s)
		},
		"openai": func(lossesOnly bool) lossyStream {
			opts := []chat.Option{chat.WithoutExtensions()}
			if lossesOnly {
				opts = append(opts, chat.WithLossesOnly())
			}
			return pushed(t, chat.NewStream(opts...))
		},
		"aisdk": func(lossesOnly bool) lossyStream {
			var opts []aisdk.Option
			if lossesOnly {
				opts = append(opts, aisdk.WithLossesOnly())
			}
			return pushed(t, aisdk.NewStream(opts...))
		},
	} {
		all, only := run(false), run(true)
		if diff := cmp.Diff(all.Lost(), only.Report()); diff != "" {
			t.Errorf("%s: -losses +report: %s", name, diff)
		}
		if len(all.Lost()) == 0 || len(all.Lost()) == len(all.Report()) {
			t.Errorf("%s: %d losses of %d entries show nothing", name, len(all.Lost()),
				len(all.Report()))
		}
	}
}

// pushed pushes the chunks into a stream that then breaks off.
func pushed[S interface {
	lossyStream
	Push(chunk *geminiapi.GenerateContentResponse) ([]E, error)
	Close(err error) ([]E, error)
}, E any](t *testing.T, s S) lossyStream {
	t.Helper()
	for _, chunk := range openaitest.DecodeAll(t, replacing) {
		if _, err := s.Push(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Close(nil); err == nil {
		t.Fatal("the stream has no end")
	}
	return s
}
