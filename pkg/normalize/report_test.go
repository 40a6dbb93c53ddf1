package normalize_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
)

func TestValuesThatMergingReplacesAreReportedAtEachLocation(t *testing.T) {
	t.Parallel()
	const (
		replaced = ": a later chunk has another value"
		inPieces = ": the pieces of the arguments are joined to JSON"

		continued = ": the answer continues after it, and its last finish reason counts"
		withText  = `"content":{"parts":[{"text":"a"}]}`
	)
	tests := map[string]struct {
		chunks []string
		want   []string // for who joins the events
		events []string // for who reads them
	}{
		"a record as a whole": {
			chunks: []string{`{"modelStatus":{"modelStage":"STABLE"}}`,
				`{"modelStatus":{"modelStage":"RETIRED"}}`},
			want: []string{"approximated /0/modelStatus" + replaced},
		},
		"a value that several chunks have": {
			chunks: []string{ofCandidate(`"tokenCount":1`), `{}`, ofCandidate(`"tokenCount":1`),
				ofCandidate(`"tokenCount":2`)},
			want: []string{"approximated /0/candidates/0/tokenCount" + replaced,
				"approximated /2/candidates/0/tokenCount" + replaced},
		},
		"the same in another order": {
			chunks: []string{`{"x":{"a":1,"b":2}}`, `{"x":{"b":2,"a":1}}`},
		},
		"back and forth": {
			chunks: []string{`{"x":1}`, `{"x":2}`, `{"x":1}`},
			want:   []string{"approximated /0/x" + replaced, "approximated /1/x" + replaced},
		},
		"a finish reason that content follows": {
			chunks: []string{ofCandidate(withText),
				ofCandidate(withText + `,"finishReason":"STOP"`), ofCandidate(`"index":0`),
				ofCandidate(withText), ofCandidate(withText + `,"finishReason":"STOP"`)},
			want:   []string{"approximated /1/candidates/0/finishReason" + continued},
			events: []string{"approximated /1/candidates/0/finishReason" + continued},
		},
		"a finish reason that content and another one follow": {
			chunks: []string{ofCandidate(withText + `,"finishReason":"MAX_TOKENS"`),
				ofCandidate(withText), ofCandidate(`"finishReason":"STOP"`)},
			want:   []string{"approximated /0/candidates/0/finishReason" + continued},
			events: []string{"approximated /0/candidates/0/finishReason" + continued},
		},
		"a finish reason that an empty text follows": {
			chunks: []string{ofCandidate(withText + `,"finishReason":"STOP"`),
				ofCandidate(`"content":{"parts":[{"text":""}]},"finishReason":"STOP"`)},
		},
		"an empty list replaces nothing": {
			chunks: []string{ofCandidate(`"safetyRatings":[{"category":"a"}]`),
				ofCandidate(`"safetyRatings":[]`)},
		},
		"members of a record one by one": {
			chunks: []string{`{"promptFeedback":{"safetyRatings":[{"category":"a"}],"x/y":1}}`,
				`{"promptFeedback":{"x/y":2}}`},
			want: []string{"approximated /0/promptFeedback/x~1y" + replaced},
		},
		"which response it is": {
			chunks: []string{`{}`, `{"responseId":"one"}`, `{"responseId":"two"}`},
			want:   []string{"approximated /2/responseId: an earlier chunk has another value, which is used"},
		},
		"the members of the last event": {
			chunks: []string{ofCandidate(`"content":{"role":"user"}`),
				ofCandidate(`"content":{"role":"model"},"finishMessage":"a"`),
				ofCandidate(`"finishMessage":"b"`)},
			want: []string{"approximated /0/candidates/0/content/role" + replaced,
				"approximated /1/candidates/0/finishMessage" + replaced},
			events: []string{"approximated /0/candidates/0/content/role" + replaced,
				"approximated /1/candidates/0/finishMessage" + replaced},
		},
		"counts that are events, and details that are invalid": {
			chunks: []string{`{"usageMetadata":{"totalTokenCount":1}}`,
				`{"usageMetadata":{"totalTokenCount":2}}`,
				`{"usageMetadata":{"totalTokenCount":2,"serviceTier":"flex"}}`,
				`{"usageMetadata":{"serviceTier":"standard"}}`},
			want:   []string{"approximated /2/usageMetadata" + replaced},
			events: []string{"approximated /2/usageMetadata" + replaced},
		},
		"counts that rise": {
			chunks: []string{
				`{"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}],"trafficType":"ON_DEMAND"}}`,
				`{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":1,"totalTokenCount":4,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}]}}`,
				`{"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":9,"totalTokenCount":12,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}],"serviceTier":"standard"}}`,
			},
		},
		"a count that falls": {
			chunks: []string{`{"usageMetadata":{"promptTokenCount":101,"totalTokenCount":102}}`,
				`{"usageMetadata":{"promptTokenCount":27,"totalTokenCount":127}}`},
			want: []string{"approximated /0/usageMetadata" + replaced},
		},
		"a count that is gone, and one of another modality": {
			chunks: []string{
				`{"usageMetadata":{"thoughtsTokenCount":5,"totalTokenCount":5}}`,
				`{"usageMetadata":{"totalTokenCount":6,"promptTokensDetails":[{"modality":"TEXT","tokenCount":1}]}}`,
				`{"usageMetadata":{"totalTokenCount":7,"promptTokensDetails":[{"modality":"IMAGE","tokenCount":9}]}}`,
			},
			want: []string{"approximated /0/usageMetadata" + replaced,
				"approximated /1/usageMetadata" + replaced},
		},
		"counts that rise next to another tier": {
			chunks: []string{`{"usageMetadata":{"totalTokenCount":5,"serviceTier":"flex"}}`,
				`{"usageMetadata":{"totalTokenCount":6,"serviceTier":"standard"}}`},
			want: []string{"approximated /0/usageMetadata" + replaced},
		},
		"a thought without a text": {
			chunks: []string{withParts(`{"text":"a"},{"text":""},{"text":"","thought":true}`)},
			want:   []string{"approximated /0/candidates/0/content/parts/2: a part without content is left out"},
			events: []string{"approximated /0/candidates/0/content/parts/2: a part without content is left out"},
		},
		"pieces of a call": {
			chunks: []string{
				withParts(`{"text":"a"},{"functionCall":{"name":"f","id":"1","willContinue":true},"thoughtSignature":"s1","x":1}`),
				withParts(`{"functionCall":{"id":"1","partialArgs":[{"jsonPath":"$.a","numberValue":1}]},"thoughtSignature":"s2","x":2}`),
			},
			want: []string{
				"approximated /0/candidates/0/content/parts/1/functionCall/willContinue" + inPieces,
				"approximated /0/candidates/0/content/parts/1/thoughtSignature" + replaced,
				"approximated /0/candidates/0/content/parts/1/x" + replaced,
				"approximated /1/candidates/0/content/parts/0/functionCall/id: the first piece of the call has the id",
				"approximated /1/candidates/0/content/parts/0/functionCall/partialArgs" + inPieces,
			},
			events: []string{
				"approximated /0/candidates/0/content/parts/1/functionCall/willContinue" + inPieces,
				"approximated /0/candidates/0/content/parts/1/x" + replaced,
				"approximated /1/candidates/0/content/parts/0/functionCall/id: the first piece of the call has the id",
				"approximated /1/candidates/0/content/parts/0/functionCall/partialArgs" + inPieces,
			},
		},
		"candidates without an index": {
			chunks: []string{`{"candidates":[{"tokenCount":1},{"tokenCount":2}]}`,
				`{"candidates":[{"index":1,"tokenCount":3}]}`},
			want: []string{"approximated /0/candidates/1/tokenCount" + replaced},
		},
		"supports that count the sources of their chunk": {
			chunks: []string{
				ofCandidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"a"}}]}`),
				ofCandidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"b"}}],"groundingSupports":[{"segment":{}},{"groundingChunkIndices":[0]}]}`),
				ofCandidate(`"groundingMetadata":{"groundingChunks":[{"web":{"uri":"c"}}],"groundingSupports":[{"groundingChunkIndices":[2]}]}`),
			},
			want: []string{"approximated /1/candidates/0/groundingMetadata/groundingSupports/1/groundingChunkIndices: the sources of all chunks are counted"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := streamOf(t, append(test.chunks, lastChunk)...)
			stream := closed(t, s)
			_, merged := normalize.MergeChunks(s.chunks...)
			for way, got := range map[string][]report.Report{
				"joined": {merged, stream.Report()}, "events": {stream.EventReport()},
			} {
				want := test.want
				if way == "events" {
					want = test.events
				}
				for _, report := range got {
					if diff := cmp.Diff(want, sortedLines(report)); diff != "" {
						t.Errorf("%s (- want, + got):\n%s", way, diff)
					}
				}
			}
		})
	}
}

const lastChunk = `{"candidates":[{"finishReason":"STOP"}]}`

func ofCandidate(members string) string { return `{"candidates":[{` + members + `}]}` }

// closed pushes the chunks into a stream, ends it properly and returns it.
func closed(t testing.TB, s stream) *normalize.Stream {
	t.Helper()
	out := normalize.NewStream(streamIDs)
	for _, chunk := range s.chunks {
		if _, err := out.Push(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := out.Close(s.err); err != nil {
		t.Fatal(err)
	}
	return out
}

func sortedLines(report report.Report) []string {
	var out []string
	for _, e := range report {
		out = append(out, e.String())
	}
	slices.Sort(out)
	return out
}

func TestAStreamAndItsMergedChunksHaveTheSameReport(t *testing.T) {
	t.Parallel()
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		s := readStream(p.Read(t))
		stream := normalize.NewStream()
		for _, chunk := range s.chunks {
			if _, err := stream.Push(chunk); err != nil {
				break
			}
		}
		if _, err := stream.Close(s.err); err != nil {
			continue
		}
		_, want := normalize.MergeChunks(s.chunks...)
		got := slices.DeleteFunc(stream.Report(),
			func(e report.Entry) bool { return e.Kind == report.Added })
		if diff := cmp.Diff(sortedLines(want), sortedLines(got)); diff != "" {
			t.Errorf("%s: -merged +streamed:\n%s", p.Name, diff)
		}
	}
}

func TestAnIDThatIsMadeIsAdded(t *testing.T) {
	t.Parallel()
	s := streamOf(t, withParts(`{"text":"a"},{"functionCall":{"name":"f"}},{"functionCall":{"name":"g","id":"1"}}`),
		lastChunk)
	want := []string{"added /0/candidates/0/content/parts/1/functionCall/id: the call has no id"}
	if diff := cmp.Diff(want, sortedLines(closed(t, s).Report())); diff != "" {
		t.Error(diff)
	}
}

func TestARoleIsNoEventWhereTheCandidateDoesNotEnd(t *testing.T) {
	t.Parallel()
	s := normalize.NewStream()
	for _, chunk := range streamOf(t,
		ofCandidate(`"content":{"role":"model","parts":[{"text":"a"}]}`)).chunks {
		if _, err := s.Push(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Close(nil); err == nil {
		t.Fatal("a stream that only stops is no error")
	}
	want := []string{"lost /0/candidates/0/content/role: the candidate does not end"}
	if diff := cmp.Diff(want, sortedLines(s.EventReport())); diff != "" || s.Report() != nil {
		t.Error(diff, s.Report())
	}
}

func TestAConverterAddsWhatItsFormLoses(t *testing.T) {
	t.Parallel()
	s := normalize.NewStream()
	for i, chunk := range streamOf(t, ofCandidate(`"safetyRatings":[{}]`),
		ofCandidate(`"safetyRatings":[{"category":"b"}]`), lastChunk).chunks {
		events, err := s.Push(chunk)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Type == normalize.EventSafety && i == 0 {
				s.AddEntry(report.Lost, e.Source, "/safetyRatings", "no place for it")
			}
		}
	}
	s.AddEntry(report.Lost, normalize.Location{}, "/x", "of an event that was decoded")
	// and not approximated too
	want := []string{"lost /0/candidates/0/safetyRatings: no place for it"}
	if diff := cmp.Diff(want, sortedLines(s.Report())); diff != "" || s.EventReport() != nil {
		t.Error(diff, s.EventReport())
	}
}

func TestAnEntryAboutTheResponseStandsWhereTheChunksSayIt(t *testing.T) {
	t.Parallel()
	chunks := streamOf(t,
		`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":1,"trafficType":"ON_DEMAND"}}`,
		`{"responseId":"other","candidates":[{"content":{"parts":[{"text":"b"}]}}]}`,
		`{"responseId":"r","candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2}}`,
	)
	for _, tt := range []struct {
		kind    report.Kind
		pointer string
		want    []string
	}{
		{report.Lost, "/responseId", []string{"lost /0/responseId: d", "lost /2/responseId: d"}},
		{report.Approximated, "/responseId", []string{"approximated /0/responseId: d"}},
		{report.Added, "/modelVersion", []string{"added /0/modelVersion: d"}},
		{report.Lost, "/usageMetadata", []string{"lost /0/usageMetadata: d", "lost /2/usageMetadata: d"}},
		{report.Approximated, "/usageMetadata/promptTokenCount", []string{"approximated /2/usageMetadata/promptTokenCount: d"}},
		{report.Approximated, "/usageMetadata/trafficType", []string{"approximated /0/usageMetadata/trafficType: d"}},
		{report.Added, "/usageMetadata/totalTokenCount", []string{"added /2/usageMetadata/totalTokenCount: d"}},
	} {
		s := closed(t, chunks)
		s.AddResponseEntry(report.Entry{Kind: tt.kind, Pointer: tt.pointer, Detail: "d"})
		got := slices.DeleteFunc(sortedLines(s.Report()),
			func(line string) bool { return !strings.HasSuffix(line, ": d") })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// The source of an event is its location in its own chunk. It does not depend on the numbers of the
// candidate and the part.
func TestEveryEventSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	var got []string
	for e := range normalize.Events(streamOf(t,
		`{"responseId":"r","candidates":[{"index":7,"content":{"parts":[{"text":""},{"text":"a"},{"functionCall":{"name":"f","id":"1","willContinue":true}}]},"tokenCount":1}]}`,
		`{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"},{"index":7,"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","nullValue":"NULL_VALUE"}]}}]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":1}}`,
		`{"candidates":[{"index":7,"finishMessage":"m"}]}`,
	).all) {
		got = append(got, string(e.Type)+" "+e.Source.Pointer(""))
	}
	want := []string{
		"start /0", "text_delta /0/candidates/0/content/parts/1",
		"tool_call_start /0/candidates/0/content/parts/2", "candidate_extra /0/candidates/0",
		"text_delta /1/candidates/0/content/parts/0",
		"tool_call_delta /1/candidates/1/content/parts/0",
		"tool_call_delta /1/candidates/1/content/parts/0",
		"tool_call_done /1/candidates/1/content/parts/0", "usage /1",
		"finish /1/candidates/0", "finish /1/candidates/1", "done /2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var none normalize.Location
	if at := (normalize.Event{}).Source; !at.IsZero() || at.Chunk() != -1 || at.Candidate() != -1 ||
		at.Part() != -1 || none.Pointer("/a") != "/a" {
		t.Errorf("an event from nowhere comes from %v", at)
	}
}

func TestTheReportOfALongStreamIsInTheOrderOfItsChunks(t *testing.T) {
	t.Parallel()
	var chunks []string
	for i := range 30 {
		chunks = append(chunks,
			`{"candidates":[{"content":{"parts":[{"text":"a"}]},"tokenCount":`+
				strings.Repeat("1", i%3+1)+`}],"usageMetadata":{"totalTokenCount":1`+
				strings.Repeat("0", i%5)+`}}`)
	}
	entries := closed(t, streamOf(t, append(chunks, lastChunk)...)).Report()
	if len(entries) != 34 {
		t.Errorf("%d entries", len(entries))
	}
	if !slices.IsSortedFunc(entries,
		func(a, b report.Entry) int { return chunkOf(a) - chunkOf(b) }) {
		t.Error(entries)
	}
}

func chunkOf(e report.Entry) (n int) {
	for _, digit := range strings.Split(e.Pointer, "/")[1] {
		n = 10*n + int(digit-'0')
	}
	return n
}
