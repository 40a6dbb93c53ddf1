package normalize_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/google/go-cmp/cmp"
)

func TestAReportAboutAMergedResponseNamesTheChunks(t *testing.T) {
	t.Parallel()
	s := streamOf(t,
		`{"responseId":"r","promptFeedback":{"blockReason":"OTHER"},"candidates":[{"index":1,"content":{"parts":[{"text":"other"}]}},{"index":0,"content":{"role":"model","parts":[{"text":"a"}]}}]}`,
		`{"responseId":"r","candidates":[{"content":{"role":"model","parts":[{"text":"b"},{"executableCode":{"code":"1"}}]},"safetyRatings":[{"category":"x"}]}],"usageMetadata":{"totalTokenCount":3,"serviceTier":"flex"}}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"u"}},{"web":{"uri":"v"}}]}}]}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1}]},"thoughtSignature":"b25l"}]},"logprobsResult":{"chosenCandidates":[{"token":"a"}]}}],"usageMetadata":{"totalTokenCount":4}}`,
		`{"candidates":[{"finishReason":"STOP","groundingMetadata":{"other":1,"groundingChunks":[{"web":{"uri":"v"}},{"web":{"uri":"w"}}]},"logprobsResult":{"chosenCandidates":[{"token":"a"}],"topCandidates":[{}]}}]}`,
	)
	tests := map[string]string{
		"":                                                          "",
		"/candidates":                                               "/candidates",
		"/responseId":                                               "/0/responseId",
		"/promptFeedback":                                           "/0/promptFeedback",
		"/promptFeedback/blockReason":                               "/0/promptFeedback/blockReason",
		"/usageMetadata":                                            "/3/usageMetadata",
		"/usageMetadata/serviceTier":                                "/1/usageMetadata/serviceTier",
		"/candidates/0":                                             "/0/candidates/1",
		"/candidates/1/content/parts/0/text":                        "/0/candidates/0/content/parts/0/text",
		"/candidates/0/content/parts":                               "/0/candidates/1/content/parts",
		"/candidates/0/content/parts/0":                             "/0/candidates/1/content/parts/0",
		"/candidates/0/content/parts/1":                             "/1/candidates/0/content/parts/1",
		"/candidates/0/content/parts/2":                             "/2/candidates/0/content/parts/0",
		"/candidates/0/content/role":                                "/1/candidates/0/content/role",
		"/candidates/0/safetyRatings/0/category":                    "/1/candidates/0/safetyRatings/0/category",
		"/candidates/0/finishReason":                                "/4/candidates/0/finishReason",
		"/candidates/0/groundingMetadata/other":                     "/4/candidates/0/groundingMetadata/other",
		"/candidates/0/logprobsResult":                              "/3/candidates/0/logprobsResult",
		"/candidates/0/content/parts/7":                             "/0/candidates/1",
		"/candidates/0/content/parts/2/functionCall/args/a":         "/2/candidates/0/content/parts/0/functionCall",
		"/candidates/0/content/parts/2/functionCall/name":           "/2/candidates/0/content/parts/0/functionCall/name",
		"/candidates/0/content/parts/2/thoughtSignature":            "/3/candidates/0/content/parts/0/thoughtSignature",
		"/candidates/0/groundingMetadata/groundingChunks":           "/2/candidates/0/groundingMetadata/groundingChunks",
		"/candidates/0/groundingMetadata/groundingChunks/1/web":     "/2/candidates/0/groundingMetadata/groundingChunks/1/web",
		"/candidates/0/groundingMetadata/groundingChunks/2/web/uri": "/4/candidates/0/groundingMetadata/groundingChunks/1/web/uri",
		"/candidates/0/logprobsResult/chosenCandidates/1/token":     "/4/candidates/0/logprobsResult/chosenCandidates/0/token",
		"/candidates/0/logprobsResult/topCandidates/1":              "/4/candidates/0/logprobsResult/topCandidates/0",
	}
	merged := normalize.Merge(s.chunks...)
	for pointer, want := range tests {
		entries := report.Report{{Pointer: pointer, Kind: report.Approximated, Detail: "changed"}}
		got := merged.InChunks(entries)
		if diff := cmp.Diff(report.Report{{Pointer: want, Kind: report.Approximated,
			Detail: "changed"}}, got); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", pointer, diff)
		}
		if entries[0].Pointer != pointer {
			t.Errorf("%s: the report that was given is changed", pointer)
		}
	}
}

func TestOnlyAddedValuesOfAPartHaveALocationInAChunk(t *testing.T) {
	t.Parallel()
	s := streamOf(t, withParts(`{"text":"a"}`), withParts(`{"functionCall":{"name":"f"}}`))
	got := normalize.Merge(s.chunks...).InChunks(report.Report{
		{Pointer: "/candidates/0/content/parts/1/functionCall/id", Kind: report.Added},
		{Pointer: "/candidates/0/finishReason", Kind: report.Added},
		{Pointer: "/responseId", Kind: report.Added},
	})
	want := report.Report{
		{Pointer: "/1/candidates/0/content/parts/0/functionCall/id", Kind: report.Added},
		{Pointer: "/candidates/0/finishReason", Kind: report.Added},
		{Pointer: "/responseId", Kind: report.Added},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("- want, + got:\n%s", diff)
	}
}

func TestALossInSeveralChunksHasAnEntryForEach(t *testing.T) {
	t.Parallel()
	s := streamOf(t, withParts(`{"text":"a"}`),
		withParts(`{"executableCode":{"code":"1"}},{"text":"b"}`), withParts(`{"text":"c"}`))
	got := normalize.Merge(s.chunks...).InChunks(
		report.Report{{Pointer: "/candidates/0/content/parts/2", Kind: report.Lost}})
	want := report.Report{
		{Pointer: "/1/candidates/0/content/parts/1", Kind: report.Lost},
		{Pointer: "/2/candidates/0/content/parts/0", Kind: report.Lost},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("- want, + got:\n%s", diff)
	}
}
