package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/reverse/request"
	"github.com/google/go-cmp/cmp"
)

// F5: settings that some servers take go where an option says so, and are reported else.
func TestF5_SettingsOfSomeServersGoByOptions(t *testing.T) {
	t.Parallel()
	const hello = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],`
	for name, tc := range map[string]struct {
		document, member, want string
		opts                   []request.Option
		lost                   string
	}{
		"topK":                             {hello + `"generationConfig":{"topK":3}}`, "top_k", `3`, []request.Option{request.WithTopK()}, ""},
		"topK, plain":                      {hello + `"generationConfig":{"topK":3}}`, "top_k", `null`, nil, "/generationConfig/topK"},
		"maxOutputTokens":                  {hello + `"generationConfig":{"maxOutputTokens":9}}`, "max_completion_tokens", `9`, nil, ""},
		"maxOutputTokens of older servers": {hello + `"generationConfig":{"maxOutputTokens":9}}`, "max_tokens", `9`, []request.Option{request.WithMaxTokens()}, ""},
		"labels":                           {hello + `"labels":{"team":"a"}}`, "metadata", `{"team":"a"}`, []request.Option{request.WithLabelsAsMetadata()}, ""},
		"labels, plain":                    {hello + `"labels":{"team":"a"}}`, "metadata", `null`, nil, "/labels"},
		"a search":                         {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `{}`, []request.Option{request.WithWebSearch()}, ""},
		"a search by a model for it":       {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `{}`, []request.Option{request.ForModel("gpt-5-search-api")}, ""},
		"a search, plain":                  {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `null`, nil, "/tools/0/googleSearch"},
		"standard":                         {hello + `"serviceTier":"standard"}`, "service_tier", `"default"`, nil, ""},
		"flex":                             {hello + `"serviceTier":"flex"}`, "service_tier", `"flex"`, nil, ""},
	} {
		out, report := mustConvert(t, tc.document, plain(tc.opts...)...)
		if diff := cmp.Diff(parsed(t, tc.want), out[tc.member]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if lost := report.Of(transform.Lost); (len(lost) > 0) != (tc.lost != "") || tc.lost != "" && !lost.Covers(tc.lost) {
			t.Errorf("%s: %v", name, report)
		}
	}
}

// F5: what only Google runs, and what only describes a part, is reported with its place.
func TestF5_WhatOnlyGoogleRunsIsReported(t *testing.T) {
	t.Parallel()
	_, report := mustConvert(t, `{"contents":[{"role":"user","parts":[{"text":"?","partMetadata":{"a":1}}]},
		{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"text":"One."}]},
		{"role":"user","parts":[{"text":"And?"}]}],
		"tools":[{"codeExecution":{}},{"urlContext":{}},{"googleMaps":{}}],"toolConfig":{"retrievalConfig":{"languageCode":"de"}}}`, plain()...)
	for _, pointer := range []string{
		"/contents/0/parts/0/partMetadata", "/contents/1/parts/0", "/contents/1/parts/1", "/tools/0/codeExecution", "/tools/1/urlContext", "/tools/2/googleMaps", "/toolConfig/retrievalConfig",
	} {
		if !report.Of(transform.Lost).Covers(pointer) {
			t.Errorf("%s is not lost: %v", pointer, report)
		}
	}
}
