package request_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// The traits of a request belong to the table.
func TestAConversionLeavesTheTableOfModelsAsItIs(t *testing.T) {
	t.Parallel()
	for _, family := range models.IDs() {
		before := traitsOf(family)
		for _, settings := range []string{
			`"reasoning_effort":"high"`, `"reasoning_effort":"none"`,
			`"extra_body":{"google":{"thinking_config":{"thinking_budget":9999999,"include_thoughts":true}}}`,
			`"extra_body":{"google":{"thinking_config":{"thinking_level":"low"}}}`,
		} {
			in, err := openai.DecodeRequest(fmt.Appendf(nil,
				`{"model":%q,"messages":[{"role":"user","content":"hi"}],%s}`, family, settings))
			if err != nil {
				t.Fatal(err)
			}
			out, _, err := request.ToGemini(in)
			if err != nil {
				continue // which the model does not take
			}
			if config := out.GenerationConfig; config != nil && config.ThinkingConfig != nil {
				if budget := config.ThinkingConfig.ThinkingBudget; budget != nil {
					*budget = -7
				}
				if level := config.ThinkingConfig.ThinkingLevel; level != nil {
					*level = "OTHER"
				}
			}
		}
		if diff := cmp.Diff(before, traitsOf(family)); diff != "" {
			t.Errorf("%s: %s", family, diff)
		}
	}
}

// OpenRouter, DeepSeek, Mistral and Qwen have their own members in this API, and clients send them
// to all servers.
func TestMembersOfOtherServersSetHowTheModelThinks(t *testing.T) {
	t.Parallel()
	const budgetOf = `{"thinkingBudget":`
	tests := map[string]struct {
		model, in string
		want      string // thinkingConfig, "" for none
		reports   []string
	}{
		"an effort of OpenRouter's":                {levelModel, `"reasoning":{"effort":"low"}`, `{"includeThoughts":true,"thinkingLevel":"LOW"}`, nil},
		"an effort of OpenRouter's, as a budget":   {budgetModel, `"reasoning":{"effort":"medium"}`, budgetOf + `8192,"includeThoughts":true}`, nil},
		"an effort without thoughts in the answer": {budgetModel, `"reasoning":{"effort":"medium","exclude":true}`, budgetOf + `8192}`, nil},
		"tokens of OpenRouter's":                   {budgetModel, `"reasoning":{"max_tokens":2000,"exclude":false}`, budgetOf + `2000,"includeThoughts":true}`, nil},
		"more tokens than the model takes":         {budgetModel, `"reasoning":{"max_tokens":50000}`, budgetOf + `24576,"includeThoughts":true}`, []string{"approximated /reasoning/max_tokens"}},
		"tokens for a model with levels":           {levelModel, `"reasoning":{"max_tokens":2000}`, budgetOf + `2000,"includeThoughts":true}`, nil},
		"enabled, which is medium":                 {levelModel, `"reasoning":{"enabled":true}`, `{"includeThoughts":true,"thinkingLevel":"MEDIUM"}`, nil},
		"enabled, with an effort":                  {levelModel, `"reasoning":{"enabled":true,"effort":"high"}`, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`, nil},
		"not enabled":                              {budgetModel, `"reasoning":{"enabled":false}`, budgetOf + `0}`, []string{"approximated /reasoning"}},
		"not enabled, with an effort":              {budgetModel, `"reasoning":{"enabled":false,"effort":"low"}`, budgetOf + `0}`, []string{"lost /reasoning/effort", "approximated /reasoning"}},
		"enabled, with no effort at all":           {budgetModel, `"reasoning":{"enabled":true,"effort":"none"}`, budgetOf + `0}`, []string{"lost /reasoning/enabled", "approximated /reasoning"}},
		"an effort and tokens":                     {budgetModel, `"reasoning":{"effort":"low","max_tokens":3}`, budgetOf + `1024,"includeThoughts":true}`, []string{"lost /reasoning/max_tokens"}},
		"nothing but reasoning":                    {levelModel, `"reasoning":{}`, `{"includeThoughts":true}`, nil},
		"an unknown effort":                        {levelModel, `"reasoning":{"effort":"heroic","more":1}`, `{"includeThoughts":true}`, []string{"lost /reasoning/more", "lost /reasoning/effort"}},
		"an empty effort of OpenRouter's":          {levelModel, `"reasoning":{"effort":""}`, `{"includeThoughts":true}`, []string{"approximated /reasoning/effort"}},
		"an empty effort":                          {levelModel, `"reasoning_effort":""`, "", []string{"approximated /reasoning_effort"}},
		"an effort that two members say":           {levelModel, `"reasoning_effort":"low","reasoning":{"effort":"low"}`, `{"includeThoughts":true,"thinkingLevel":"LOW"}`, nil},
		"efforts that differ":                      {levelModel, `"reasoning_effort":"low","reasoning":{"effort":"high"}`, `{"includeThoughts":true,"thinkingLevel":"LOW"}`, []string{"lost /reasoning/effort"}},
		"a model that does not think":              {oldModel, `"reasoning":{"effort":"high"}`, "", []string{"lost /reasoning/effort", "approximated /reasoning"}},
		"a model that is asked not to show that":   {oldModel, `"reasoning":{"exclude":true}`, "", []string{"approximated /reasoning/exclude"}},

		"DeepSeek's thinking":             {levelModel, `"thinking":{"type":"enabled"}`, `{"includeThoughts":true}`, nil},
		"DeepSeek's, with an effort":      {levelModel, `"thinking":{"type":"enabled"},"reasoning_effort":"high"`, `{"includeThoughts":true,"thinkingLevel":"HIGH"}`, nil},
		"a budget of Anthropic's":         {budgetModel, `"thinking":{"type":"enabled","budget_tokens":4096,"display":"omitted"}`, budgetOf + `4096,"includeThoughts":true}`, []string{"lost /thinking/display"}},
		"as much as the model likes":      {budgetModel, `"thinking":{"type":"adaptive"}`, budgetOf + `-1,"includeThoughts":true}`, nil},
		"as much as it likes, in tokens":  {budgetModel, `"thinking":{"type":"enabled","budget_tokens":-5}`, budgetOf + `-1,"includeThoughts":true}`, []string{"approximated /thinking/budget_tokens"}},
		"tokens without a type":           {budgetModel, `"thinking":{"budget_tokens":4096}`, budgetOf + `4096,"includeThoughts":true}`, nil},
		"no tokens, without a type":       {budgetModel, `"thinking":{"budget_tokens":0}`, budgetOf + `0}`, nil},
		"an effort in capitals":           {levelModel, `"reasoning_effort":"HIGH"`, `{"thinkingLevel":"HIGH"}`, nil},
		"OpenRouter's in capitals":        {levelModel, `"reasoning":{"effort":"Low"}`, `{"includeThoughts":true,"thinkingLevel":"LOW"}`, nil},
		"no thinking":                     {budgetModel, `"thinking":{"type":"disabled"}`, budgetOf + `0}`, nil},
		"no thinking, with a budget":      {budgetModel, `"thinking":{"type":"disabled","budget_tokens":5}`, budgetOf + `0}`, []string{"lost /thinking/budget_tokens"}},
		"no thinking where it cannot be":  {levelModel, `"thinking":{"type":"disabled"}`, `{"thinkingLevel":"MINIMAL"}`, []string{"approximated /thinking/type"}},
		"thinking of no type":             {budgetModel, `"thinking":{"type":"sometimes"}`, "", []string{"lost /thinking/type"}},
		"thinking against an effort":      {budgetModel, `"reasoning_effort":"high","thinking":{"type":"disabled"}`, budgetOf + `24576}`, []string{"lost /thinking/type"}},
		"thinking that two members deny":  {budgetModel, `"reasoning_effort":"none","thinking":{"type":"disabled"}`, budgetOf + `0}`, nil},
		"thinking, but not to be shown":   {budgetModel, `"reasoning":{"exclude":true},"thinking":{"type":"enabled"}`, "", []string{"lost /thinking/type"}},
		"Qwen's thinking":                 {budgetModel, `"enable_thinking":true`, `{"includeThoughts":true}`, nil},
		"Qwen's budget":                   {budgetModel, `"enable_thinking":true,"thinking_budget":300`, budgetOf + `300,"includeThoughts":true}`, nil},
		"Qwen's budget alone":             {budgetModel, `"thinking_budget":300`, budgetOf + `300}`, nil},
		"Qwen's budget of nothing":        {budgetModel, `"thinking_budget":0`, budgetOf + `0}`, nil},
		"Qwen's thinking, which is off":   {budgetModel, `"enable_thinking":false`, budgetOf + `0}`, nil},
		"Qwen's, off, but with a budget":  {budgetModel, `"enable_thinking":false,"thinking_budget":300`, budgetOf + `0}`, []string{"lost /thinking_budget"}},
		"tokens for a model with no such": {"gemma-4", `"thinking_budget":300`, "", []string{"lost /thinking_budget"}},
		"next to a config of Gemini's": {
			budgetModel,
			`"extra_body":{"google":{"thinking_config":{"thinking_budget":3}}},"reasoning_effort":"","reasoning":{"effort":"low"},"enable_thinking":true`,
			budgetOf + `3}`,
			[]string{"lost /enable_thinking", "lost /reasoning", "approximated /reasoning_effort"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, test.model, test.in)
			want := ""
			if test.want != "" {
				want = `"generationConfig":{"thinkingConfig":` + test.want + `}`
			}
			settings(t, got, test.model, want)
			openaitest.Reports(t, report, test.reports...)
			checkSettings(t,
				[]byte(`{"messages":[{"role":"user","content":"Hello."}],`+test.in+`}`),
				request.ForModel(test.model), request.WithoutValidation())
		})
	}
}

func TestMistralsSeedIsASeed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in, want string
		reports  []string
	}{
		"alone":      {`"random_seed":7`, "7", nil},
		"zero":       {`"random_seed":0`, "0", nil},
		"a long one": {`"random_seed":4294967297`, "0", []string{"approximated /random_seed"}},
		"the same":   {`"seed":7,"random_seed":7`, "7", nil},
		"another":    {`"seed":7,"random_seed":8`, "7", []string{"lost /random_seed"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, budgetModel, test.in)
			settings(t, got, budgetModel, `"generationConfig":{"seed":`+test.want+`}`)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}
