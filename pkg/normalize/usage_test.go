package normalize_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestNewUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     normalize.Usage
	}{
		{"absent", `null`, normalize.Usage{}},
		{"empty", `{}`, normalize.Usage{}},
		{
			"thoughts next to the candidates' tokens",
			`{"promptTokenCount":10,"candidatesTokenCount":20,"thoughtsTokenCount":8,"totalTokenCount":38}`,
			normalize.Usage{InputTokens: 10, OutputTokens: 20, ThinkingTokens: 8, TotalTokens: 38},
		},
		{
			"thoughts among the candidates' tokens",
			`{"promptTokenCount":10,"candidatesTokenCount":20,"thoughtsTokenCount":8,"totalTokenCount":30}`,
			normalize.Usage{InputTokens: 10, OutputTokens: 12, ThinkingTokens: 8, TotalTokens: 30},
		},
		{
			"tool use is part of the input",
			`{"promptTokenCount":10,"toolUsePromptTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":8,"totalTokenCount":138}`,
			normalize.Usage{InputTokens: 110, OutputTokens: 20, ThinkingTokens: 8,
				ToolUseTokens: 100, TotalTokens: 138},
		},
		{
			"cached tokens are part of the prompt",
			`{"promptTokenCount":10,"cachedContentTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":11}`,
			normalize.Usage{InputTokens: 10, CachedTokens: 9, OutputTokens: 1, TotalTokens: 11},
		},
		{
			"more thoughts than candidates' tokens, and no sum to decide",
			`{"promptTokenCount":10,"candidatesTokenCount":3,"thoughtsTokenCount":8}`,
			normalize.Usage{InputTokens: 10, ThinkingTokens: 8},
		},
		{"no total is made up", `{"promptTokenCount":10,"candidatesTokenCount":5}`, normalize.Usage{InputTokens: 10, OutputTokens: 5}},
		{
			"negative counts",
			`{"promptTokenCount":-1,"candidatesTokenCount":-2,"thoughtsTokenCount":-3,"totalTokenCount":-6}`,
			normalize.Usage{},
		},
		{
			"counts beyond all reason do not overflow",
			`{"promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":9223372036854775807,"candidatesTokenCount":9223372036854775807}`,
			normalize.Usage{InputTokens: 2 * 2147483647, OutputTokens: 2147483647,
				ToolUseTokens: 2147483647},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var m *geminiapi.UsageMetadata
			if err := json.Unmarshal([]byte(tt.in), &m); err != nil {
				t.Fatal(err)
			}
			got := normalize.NewUsage(m)
			if got.Wire != m {
				t.Error("the record is not kept")
			}
			if diff := cmp.Diff(tt.want, got,
				cmpopts.IgnoreFields(normalize.Usage{}, "Wire")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRecordedCountsAddUp(t *testing.T) {
	t.Parallel()
	counted := 0
	for _, p := range corpustest.Payloads(t, corpustest.Response) {
		if strings.HasPrefix(p.Name, "prism/") {
			continue // some of these were edited by hand
		}
		r, err := gemini.DecodeResponse(p.Read(t))
		if err != nil || r.UsageMetadata == nil || r.UsageMetadata.PromptTokenCount == nil ||
			r.UsageMetadata.TotalTokenCount == nil {
			continue // among them the records of cached contents, which have a total alone
		}
		u := normalize.NewUsage(r.UsageMetadata)
		if u.InputTokens+u.OutputTokens+u.ThinkingTokens != u.TotalTokens {
			t.Errorf("%s: input %d + output %d + thinking %d is not the total %d",
				p.Name, u.InputTokens, u.OutputTokens, u.ThinkingTokens, u.TotalTokens)
		}
		counted++
	}
	if counted < corpustest.AtLeast(700) {
		t.Errorf("only %d responses have counts that add up", counted)
	}
}

func TestUsagePlusAddsEveryCount(t *testing.T) {
	t.Parallel()
	one := normalize.Usage{InputTokens: 1, OutputTokens: 2, ThinkingTokens: 3, CachedTokens: 4,
		ToolUseTokens: 5, TotalTokens: 6, Wire: &geminiapi.UsageMetadata{}}
	want := normalize.Usage{InputTokens: 2, OutputTokens: 4, ThinkingTokens: 6, CachedTokens: 8,
		ToolUseTokens: 10, TotalTokens: 12}
	if got := one.Plus(one); got != want {
		t.Errorf("%+v", got)
	}
	if got := (normalize.Usage{}).Plus(normalize.Usage{}); got != (normalize.Usage{}) {
		t.Errorf("%+v", got)
	}
}
