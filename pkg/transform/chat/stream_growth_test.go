package chat_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// growing are candidates of chunks that each add to a list. N stands for the chunk's position.
var growing = map[string]string{
	"sources":                `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/N","title":"t"}}]}`,
	"supports":               `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}],"groundingSupports":[{"segment":{"endIndex":N},"groundingChunkIndices":[0]}]}`,
	"sources of all chunks":  `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/N"}}],"groundingSupports":[{"segment":{"endIndex":N},"groundingChunkIndices":[N]}]}`,
	"supports that move":     `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example"}}],"groundingSupports":[{"segment":{"startIndex":N,"endIndex":N,"text":"ü"},"groundingChunkIndices":[0]}]}`,
	"the same that moves":    `"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/N"}}],"groundingSupports":[{"segment":{"startIndex":7,"endIndex":9,"text":"ü"},"groundingChunkIndices":[0]}]}`,
	"citations":              `"citationMetadata":{"citations":[{"endIndex":N,"uri":"https://a.example/N"}]}`,
	"citations that move":    `"citationMetadata":{"citationSources":[{"startIndex":1,"endIndex":N,"uri":"https://a.example/N"}]}`,
	"pages":                  `"urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://a.example/N","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"}]}`,
	"tokens":                 `"logprobsResult":{"chosenCandidates":[{"token":"N"}],"topCandidates":[{"candidates":[{"token":"N"}]}]}`,
	"ratings that are other": `"safetyRatings":[{"category":"N"}]`,
	"ratings that are not":   `"safetyRatings":[{"category":"a"}]`,
}

func growingChunks(t *testing.T, candidate string, count int) []*geminiapi.GenerateContentResponse {
	t.Helper()
	bodies := make([]string, count)
	for i := range bodies {
		bodies[i] = `{"candidates":[{"content":{"parts":[{"text":"üa"}]},` +
			strings.ReplaceAll(candidate, "N", strconv.Itoa(i)) + `}]}`
	}
	return openaitest.DecodeAll(t, append(bodies, `{"candidates":[{"finishReason":"STOP"}]}`))
}

// It measures allocations, so it does not run in parallel with other tests.
func TestALongStreamTakesNoMoreMemoryPerChunkThanAShortOne(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, which the race detector changes and a full run shows")
	}
	for mode, opts := range streamModes {
		for name, candidate := range growing {
			converted := func(chunks []*geminiapi.GenerateContentResponse) uint64 {
				before := openaitest.Allocated()
				s := chat.NewStream(opts...)
				for range s.Chunks(openaitest.Pairs(chunks, nil)) {
				}
				s.Report()
				return openaitest.Allocated() - before
			}
			one, two := converted(growingChunks(t, candidate, 400)),
				converted(growingChunks(t, candidate, 800))
			if float64(two) > 2.5*float64(one) {
				t.Errorf("%s, %s: %d bytes for 400 chunks, %d for 800", name, mode, one, two)
			}
		}
	}
}

// A caller that refuses losses checks before it sends each chunk.
func TestAskingForLossesCostsNothingWithoutLosses(t *testing.T) {
	chunks := growingChunks(t, growing["ratings that are other"], 500)
	s := chat.NewStream(chat.WithUsage())
	for range s.Chunks(openaitest.Pairs(chunks, nil)) {
		if n := testing.AllocsPerRun(1, func() { s.Lost() }); n != 0 {
			t.Fatalf("%v allocations", n)
		}
	}
	if report := s.Report(); len(report) < 499 || s.Lost() != nil {
		t.Errorf("%d entries, lost: %v", len(report), s.Lost())
	}
}

func TestLossesAreReportedWithTheChunkThatLoses(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"executableCode":{"code":"1"}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]},"safetyRatings":[{"category":"c"}]}]}`,
		`{"candidates":[{"finishReason":"STOP"}]}`,
	}
	s := chat.NewStream(chat.WithUsage(), chat.WithoutExtensions())
	var got []int
	for _, c := range openaitest.DecodeAll(t, bodies) {
		if _, err := s.Push(c); err != nil {
			t.Fatal(err)
		}
		got = append(got, len(s.Lost()))
		if diff := cmp.Diff(s.Report().Of(report.Lost), s.Lost()); diff != "" {
			t.Errorf("(- in the report, + lost)\n%s", diff)
		}
	}
	if diff := cmp.Diff([]int{0, 1, 2, 2}, got); diff != "" {
		t.Errorf("losses (- want, + got)\n%s", diff)
	}
}
