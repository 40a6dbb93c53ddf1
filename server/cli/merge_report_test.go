package cli_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mergedForms are the outputs that a stream is merged for.
var mergedForms = []string{"gemini-response", "normalized", "openai-response"}

const (
	isReplaced = ": a later chunk has another value"
	isNotFirst = ": an earlier chunk has another value, which is used"
	inPieces   = ": the pieces of the arguments are joined to JSON"
)

func TestValuesThatALaterChunkReplacesAreReportedInEveryForm(t *testing.T) {
	t.Parallel()
	allForms := append(slices.Clone(mergedForms), "normalized-stream")
	tests := map[string]struct {
		chunks []string
		forms  []string
		want   []string
	}{
		"search entry points": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]},"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<one>"},"retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.1},"webSearchQueries":["one"]}}]}`,
				`{"candidates":[{"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<two>"},"retrievalMetadata":{"googleSearchDynamicRetrievalScore":0.2},"webSearchQueries":["two"]},"finishReason":"STOP"}]}`,
			},
			mergedForms,
			[]string{
				"approximated /0/candidates/0/groundingMetadata/retrievalMetadata" + isReplaced,
				"approximated /0/candidates/0/groundingMetadata/searchEntryPoint" + isReplaced,
			},
		},
		"search entry points, which are events": {
			[]string{
				`{"candidates":[{"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<one>"}}}]}`,
				`{"candidates":[{"groundingMetadata":{"searchEntryPoint":{"renderedContent":"<two>"}},"finishReason":"STOP"}]}`,
			},
			[]string{"normalized-stream"}, nil,
		},
		"supports of sources that have got other places": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"ab"}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u1"}}]}}]}`,
				`{"candidates":[{"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u2"}}],"groundingSupports":[{"groundingChunkIndices":[0]}]},"finishReason":"STOP"}]}`,
			},
			mergedForms,
			[]string{"approximated /1/candidates/0/groundingMetadata/groundingSupports/0/groundingChunkIndices: the sources of all chunks are counted"},
		},
		"roles": {
			[]string{
				`{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]}}]}`,
				`{"candidates":[{"content":{"role":"user","parts":[{"text":"b"}]}}]}`,
				`{"candidates":[{"content":{"role":"","parts":[{"text":"b"}]}}]}`,
				`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"}]}`,
			},
			allForms,
			[]string{"approximated /0/candidates/0/content/role" + isReplaced,
				"approximated /1/candidates/0/content/role" + isReplaced},
		},
		"roles of candidates without an index": {
			[]string{
				`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}},{"content":{"role":"user","parts":[{"text":"b"}]}}]}`,
				`{"candidates":[{"content":{"role":"model"},"finishReason":"STOP"},{"content":{"role":"model"},"finishReason":"STOP"}]}`,
			},
			allForms,
			[]string{"approximated /0/candidates/1/content/role" + isReplaced},
		},
		"finish reasons": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
				`{"candidates":[{"finishReason":"RECITATION","finishMessage":"one"}]}`,
				`{"candidates":[{"finishReason":"MAX_TOKENS","finishMessage":"two"}]}`,
			},
			allForms,
			[]string{
				"approximated /0/candidates/0/finishReason" + isReplaced,
				"approximated /1/candidates/0/finishMessage" + isReplaced,
				"approximated /1/candidates/0/finishReason" + isReplaced,
			},
		},
		"a finish reason that says nothing": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
				`{"candidates":[{"finishReason":"FINISH_REASON_UNSPECIFIED"}]}`,
			},
			allForms,
			[]string{"approximated /1/candidates/0/finishReason: it has no meaning, and the reason of another chunk is used"},
		},
		"usages with the same counts": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}`,
				`{"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3,"promptTokensDetails":[{"modality":"IMAGE","tokenCount":3}]}}`,
				`{"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":3}],"trafficType":"ON_DEMAND","serviceTier":"flex"}}`,
				`{"usageMetadata":{"trafficType":"PROVISIONED_THROUGHPUT"}}`,
				`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"serviceTier":"standard"}}`,
			},
			allForms,
			[]string{"approximated /1/usageMetadata" + isReplaced,
				"approximated /2/usageMetadata" + isReplaced},
		},
		"usages that are events": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":3,"trafficType":"ON_DEMAND"}}`,
				`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":4,"trafficType":"PROVISIONED_THROUGHPUT"}}`,
			},
			[]string{"normalized-stream"}, nil,
		},
		"identities": {
			[]string{
				`{"responseId":"one","candidates":[{"content":{"parts":[{"text":"a"}]}}]}`,
				`{"responseId":"two","candidates":[{"finishReason":"STOP"}]}`,
			},
			mergedForms,
			[]string{"approximated /1/responseId" + isNotFirst},
		},
		"members of the feedback that are reported one by one": {
			[]string{
				`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"promptFeedback":{"safetyRatings":[{"category":"a"}],"other":1}}`,
				`{"candidates":[{"finishReason":"STOP"}],"promptFeedback":{"safetyRatings":[],"other":2,"more":3}}`,
			},
			mergedForms,
			[]string{"approximated /0/promptFeedback/other" + isReplaced},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, form := range test.forms {
				if diff := cmp.Diff(test.want, chunkEntries(t, test.chunks, form)); diff != "" {
					t.Errorf("to %s (- want, + got):\n%s", form, diff)
				}
			}
		})
	}
}

func TestValuesInPiecesOfACallAreReportedInEveryForm(t *testing.T) {
	t.Parallel()
	const call = "/candidates/0/content/parts/0"
	chunks := []string{
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"one","partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true},"thoughtSignature":"b25l"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"two","willContinue":true},"thoughtSignature":"dHdv"}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"one"}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"g","id":"three","willContinue":true},"thoughtSignature":"dGhyZWU="}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}`,
	}
	want := []string{
		"approximated /0" + call + "/functionCall/partialArgs" + inPieces,
		"approximated /0" + call + "/functionCall/willContinue" + inPieces,
		"approximated /0" + call + "/thoughtSignature" + isReplaced,
		"approximated /1" + call + "/functionCall/id: the first piece of the call has the id",
		"approximated /1" + call + "/functionCall/willContinue" + inPieces,
		"approximated /2" + call + "/functionCall/id: the first piece of the call has the id",
		"approximated /3" + call + "/functionCall/willContinue" + inPieces,
	}
	for _, form := range mergedForms {
		if diff := cmp.Diff(want, chunkEntries(t, chunks, form)); diff != "" {
			t.Errorf("to %s (- want, + got):\n%s", form, diff)
		}
	}
	signatures := slices.Delete(slices.Clone(want), 2, 3) // which are events
	if diff := cmp.Diff(signatures, chunkEntries(t, chunks, "normalized-stream")); diff != "" {
		t.Errorf("to normalized-stream (- want, + got):\n%s", diff)
	}
}

func TestValuesThatWaitForTheEndOfACandidateAreLostWithoutOne(t *testing.T) {
	t.Parallel()
	chunks := []string{
		`{"candidates":[{"content":{"role":"model","parts":[{"text":"a"}]}}]}`,
		`{"error":{"code":503,"message":"busy"}}`,
	}
	path := filepath.Join(t.TempDir(), "report.json")
	if got := convert(t, streamOf(chunks), "gemini-stream", "normalized-stream", "--report",
		path); got.code != 1 {
		t.Errorf("a stream that fails: %+v", got)
	}
	if got := readFile(t, path); !strings.Contains(got,
		`"pointer": "/0/candidates/0/content/role"`) ||
		!strings.Contains(got, "the candidate does not end") {
		t.Errorf("got %s", got)
	}
	chunks[1] = `{"promptFeedback":{"blockReason":"SAFETY"}}` // which is an end
	if got := convert(t, streamOf(chunks), "gemini-stream", "normalized-stream",
		"--strict"); got.code != 0 ||
		!strings.Contains(got.stdout, `{"type":"finish","role":"model",`) {
		t.Errorf("of a refused prompt: %+v", got)
	}
}

func streamOf(chunks []string) string { return "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\n" }

// chunkEntries converts a stream and returns those entries of the report that point into its
// chunks.
func chunkEntries(t *testing.T, chunks []string, form string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.json")
	if got := convert(t, streamOf(chunks), "gemini-stream", form, "--report", path); got.code != 0 {
		t.Fatalf("to %s: %+v", form, got)
	}
	var out []string
	for _, e := range readReport(t, readFile(t, path)) {
		if len(e.Pointer) > 1 && '0' <= e.Pointer[1] && e.Pointer[1] <= '9' && e.Kind != "added" {
			out = append(out, string(e.Kind)+" "+e.Pointer+": "+e.Detail)
		}
	}
	slices.Sort(out)
	return out
}
