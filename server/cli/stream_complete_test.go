package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
)

// streamForm is an output of a Gemini stream.
type streamForm struct {
	conversion
	settings
}

// streamForms returns all outputs of a Gemini stream, by name.
func streamForms() map[string]streamForm {
	out := map[string]streamForm{}
	for _, c := range builtin.conversions {
		if c.from != geminiStream {
			continue
		}
		out[string(c.to)] = streamForm{c, settings{includeUsage: true}}
		if c.to == "openai-response" || c.to == "openai-stream" {
			out[string(c.to)+", without extensions"] = streamForm{c,
				settings{includeUsage: true, withoutExtensions: true}}
		}
	}
	return out
}

// visible returns the output that a user sees for chunks, and the report.
func (f streamForm) visible(bodies []string) (string, report.Report, error) {
	var in, out bytes.Buffer
	for _, body := range bodies {
		fmt.Fprintf(&in, "data: %s\n\n", body)
	}
	report, err := f.run(&in, &out, f.settings)
	return out.String(), report, err
}

func TestNothingOfAStreamIsLostSilentlyInAnyForm(t *testing.T) {
	t.Parallel()
	changed := countLeaves(t, corpustest.AtLeast(5_000))
	for name, bodies := range completenessStreams(t) {
		for formName, form := range streamForms() {
			t.Run(name+" to "+formName, func(t *testing.T) {
				t.Parallel()
				changed.Add(form.checkComplete(t, bodies, jsonleaf.Enough(1<<30)))
			})
		}
	}
}

func TestNothingOfARecordedStreamIsLostSilentlyInAnyForm(t *testing.T) {
	t.Parallel()
	forms, most, changed := streamForms(), jsonleaf.Enough(40),
		countLeaves(t, corpustest.AtLeast(40_000))
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			bodies := canonicalChunks(t, p.Read(t))
			for _, form := range forms {
				changed.Add(form.checkComplete(t, bodies, most))
			}
		})
	}
}

// countLeaves counts the leaves that a test and its subtests change. The count must be high enough
// at the end, because a stream that cannot be converted is not checked further.
func countLeaves(t *testing.T, least int) *atomic.Int64 {
	t.Helper()
	var changed atomic.Int64
	t.Cleanup(func() {
		if t.Logf("%d leaves changed", changed.Load()); changed.Load() < int64(least) &&
			!t.Skipped() {
			t.Errorf("only %d leaves were changed", changed.Load())
		}
	})
	return &changed
}

// canonicalChunks returns the chunks of a stream in canonical form, whose names the reports use. If
// the stream fails, it returns the chunks before the failure.
func canonicalChunks(t *testing.T, body []byte) []string {
	t.Helper()
	var out []string
	for chunk, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
		if err != nil {
			return out
		}
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// checkComplete changes each leaf of the chunks in turn, up to a number. The output must change, or
// the report must mention the leaf. It returns the number of changed leaves.
func (f streamForm) checkComplete(t *testing.T, bodies []string, most int) (count int64) {
	t.Helper()
	before, report, err := f.visible(bodies)
	if err != nil {
		return 0 // the error tells that something is missing
	}
	leaves, err := jsonleaf.AllOfChunks(bodies)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range jsonleaf.Sample(leaves, most) {
		others := l.ChangeIn(bodies)
		if _, err := gemini.DecodeResponse([]byte(others[l.Chunk])); err != nil {
			continue // what cannot be read is not lost silently
		}
		count++
		after, reportAfter, err := f.visible(others)
		pointer := position(l.Chunk) + l.Pointer
		if after != before || err != nil || coversChunks(report, pointer) ||
			coversChunks(reportAfter, pointer) {
			continue
		}
		if !isIndex(pointer) &&
			!jsonleaf.IsRunningTotal([]byte("["+strings.Join(bodies, ",")+"]"), pointer) {
			t.Errorf("to %s: %s is lost silently", f.to, pointer)
		}
	}
	return count
}

// isIndex reports whether a leaf is the index of the chunk's candidate. There may be only one
// candidate, or the chunk may have nothing else.
func isIndex(pointer string) bool { return strings.HasSuffix(pointer, "/index") }

// coversChunks reports whether a report entry covers a leaf of a chunk: its pointer in the list of
// the chunks is the leaf's or above it.
func coversChunks(entries report.Report, pointer string) bool {
	// this entry is about no value, or only says that texts are joined
	about := slices.DeleteFunc(slices.Clone(entries), func(e report.Entry) bool {
		return e.Kind == report.Added ||
			e.Kind == report.Approximated && strings.HasSuffix(e.Pointer, "/parts")
	})
	return about.Covers(pointer)
}

// completenessStreams are streams that must be converted without silent losses. They are the
// examples, streams with two values for one member, and every member of the API description with
// two values.
func completenessStreams(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	paths, err := filepath.Glob(filepath.Join("..", "..", "examples", "payloads", "stream-*"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(path)] = canonicalChunks(t, data)
	}
	for name, bodies := range toldTwice {
		out[name] = bodies
	}
	for name, chunks := range filledStreams() {
		for _, chunk := range chunks {
			data, err := gemini.EncodeResponse(chunk)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = append(out[name], string(data))
		}
	}
	return out
}

// toldTwice are streams in which a later value replaces an earlier one.
var toldTwice = map[string][]string{
	"search entry points": {
		`{"candidates":[{"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<one>"},"retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.1}}}]}`,
		`{"candidates":[{"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<two>"},"retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.2}},"finishReason":"STOP"}]}`,
	},
	"pieces of a call": {
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"one","partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true}],"willContinue":true},"thoughtSignature":"b25l"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"two","partialArgs":[{"jsonPath":"$.a","stringValue":"y"}],"willContinue":true},"thoughtSignature":"dHdv"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	},
	"roles": {
		`{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]}}]}`,
		`{"candidates":[{"content":{"role":"user","parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"c"}]},"finishReason":"STOP"}]}`,
	},
	"roles of two candidates": {
		`{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]}},{"content":{"role":"model","parts":[{"text":"b"}]}}]}`,
		`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"},{"content":{"role":"user"},"finishReason":"STOP"}]}`,
	},
	"finish reasons": {
		`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP","finishMessage":"one"}]}`,
		`{"candidates":[{"finishReason":"RECITATION","finishMessage":"two"}]}`,
		`{"candidates":[{"finishReason":"MAX_TOKENS","finishMessage":"three"}]}`,
		`{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`,
	},
	"usage with the same counts": {
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":3,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}],"trafficType":"ON_DEMAND","serviceTier":"standard"}}`,
		`{"usageMetadata":{"totalTokenCount":3,"promptTokensDetails":[{"modality":"IMAGE","tokenCount":3}],"trafficType":"PROVISIONED_THROUGHPUT","serviceTier":"flex"}}`,
		`{"usageMetadata":{"totalTokenCount":3,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":3}],"trafficType":"ON_DEMAND","serviceTier":"priority"}}`,
		`{"usageMetadata":{"trafficType":"ON_DEMAND_FLEX"}}`,
		`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":4}}`,
	},
	"identities": {
		`{"responseId":"one","modelVersion":"m1","createTime":"2026-01-01T00:00:00Z","candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
		`{"responseId":"two","modelVersion":"m2","createTime":"2026-01-02T00:00:00Z","candidates":[{"finishReason":"STOP"}]}`,
	},
}

// filledStreams returns streams with every member of the description, twice and with different
// values.
func filledStreams() map[string][]*geminiapi.GenerateContentResponse {
	out := map[string][]*geminiapi.GenerateContentResponse{"a refusal": twoChunks()}
	for _, chunk := range out["a refusal"] {
		chunk.Candidates = nil
	}
	for _, name := range []string{"whole chunks", "chunks without unknown members"} {
		out[name] = twoChunks()
		for i, chunk := range out[name] {
			chunk.PromptFeedback.BlockReason = nil
			c := &chunk.Candidates[0]
			c.Index, c.Content.Parts = new(0), []geminiapi.Part{{Text: new(fmt.Sprint("part ", i))}}
			c.GroundingMetadata.GroundingSupports[0].GroundingChunkIndices[0] = 0
			*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
		}
	}
	for _, chunk := range out["chunks without unknown members"] {
		jsonleaf.Clear(chunk, "Unknown")
	}
	for name, part := range jsonleaf.FillEach[geminiapi.Part]() {
		out[name] = []*geminiapi.GenerateContentResponse{
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{Text: new("a")}, part}}}}},
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}, FinishReason: new(geminiapi.FinishReasonStop)}}},
		}
	}
	return out
}

// twoChunks returns chunks with equal member names and different values.
func twoChunks() []*geminiapi.GenerateContentResponse {
	first, second := jsonleaf.Pair[geminiapi.GenerateContentResponse]()
	return []*geminiapi.GenerateContentResponse{first, second}
}
